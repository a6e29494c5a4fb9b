import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address of this machine or of a private network, which what an administrator enters must not reach. */
class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS';
}

/** Returns whether an IP address is that of a machine in the internet. IPv6 forms of IPv4 addresses count as those. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Resolves a name as `dns.lookup` does, to public addresses only. A connection that uses it goes to the address that was checked,
 * whatever the name resolves to later.
 */
export function lookupPublic(name: string, options: LookupOptions, callback: Callback): void {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new PrivateAddress(`${name} is in a private network`), []);
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
}

/** Returns the IP address in a URL, without brackets; null for a name. The parser of URLs writes numbers as addresses. */
export function findAddressIn(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

/** Returns whether a URL leads into a private network today. A name that does not resolve does not. */
export async function leadsToPrivateNetwork(url: URL): Promise<boolean> {
  const address = findAddressIn(url);
  if (address !== null) return !isPublicAddress(address);
  return new Promise((resolve) => {
    lookupPublic(url.hostname, {}, (error) => resolve(error instanceof PrivateAddress));
  });
}
