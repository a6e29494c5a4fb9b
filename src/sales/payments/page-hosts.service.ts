import type { Deps } from '../context';
import type { PageHosts } from '../payment-processing/gateways/gateway';
import { listOfferedGateways } from '../payment-processing/payment-methods.repository';

/** Returns the hosts that the page scripts of the offered payment methods need. One statement. */
export async function listPageHosts({
  db,
  gateways,
}: Pick<Deps, 'db' | 'gateways'>): Promise<readonly PageHosts[]> {
  const offered = new Set(await listOfferedGateways(db));
  return [...offered].flatMap((name) => {
    const hosts = Object.hasOwn(gateways, name) ? gateways[name]?.page_hosts : undefined;
    return hosts === undefined ? [] : [hosts];
  });
}
