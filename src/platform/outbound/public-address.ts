import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { readErrorCode } from '../error-code';

/** How a name server is asked. One that hangs fails a lookup after some seconds. */
const PATIENCE = { timeout: 1_500, tries: 2 };
/** The IPv6 addresses of the internet. The first /96 of all holds IPv4 addresses, in a form that is no longer used. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** An address of this machine or of a private network, which what an administrator enters must not reach. */
class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS';
}

/** Returns whether an IP address is that of a machine in the internet. IPv6 forms of IPv4 addresses count as those. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6));
}

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

type Lookup = (name: string, options: LookupOptions, callback: Callback) => void;

/**
 * Creates a `dns.lookup` of public addresses only. A connection that uses it goes to the address that was checked, whatever the name
 * resolves to later.
 */
export function createPublicLookup(resolver = new dns.promises.Resolver(PATIENCE)): Lookup {
  return (name, options, callback) => {
    resolve(resolver, name).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
          return callback(new PrivateAddress(`${name} is in a private network`), []);
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

export const lookupPublic = createPublicLookup();

/**
 * Resolves a name by DNS, else as this machine does (its file of hosts, its domains). `dns.lookup` holds one of the few threads of the
 * process for as long as a name server hangs, and passwords and files would wait for servers of others.
 */
async function resolve(resolver: dns.promises.Resolver, name: string): Promise<LookupAddress[]> {
  // A name without a dot belongs to this machine or its network.
  if (!name.includes('.')) return dns.promises.lookup(name, { all: true });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((one, index) =>
    one.status === 'fulfilled' ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0) return addresses;
  const late = found.find((one) => one.status === 'rejected' && readErrorCode(one.reason) === dns.TIMEOUT);
  if (late?.status === 'rejected') throw late.reason;
  return dns.promises.lookup(name, { all: true });
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
