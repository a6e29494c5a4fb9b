import type { Facts } from './facts';
import { ok, problem, refusal, warning, type Finding } from './finding';

/** As `engines` of package.json says; a test compares them. */
export const OLDEST_NODE = [20, 19] as const;

/** Whether this Node runs the program. */
export function programFindings({ node_version }: Pick<Facts, 'node_version'>): Finding[] {
  const [major = 0, minor = 0] = node_version.split('.').map(Number);
  const [leastMajor, leastMinor] = OLDEST_NODE;
  const isOldEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isOldEnough) return [ok('program', `Node.js ${node_version}`)];
  const least = OLDEST_NODE.join('.');
  return [
    problem(
      'program',
      `Node.js ${node_version} is older than the program needs`,
      `install ${least} or newer`,
    ),
  ];
}

/** What settings that are valid each for itself mean together. */
export function configurationFindings({ settings }: Pick<Facts, 'settings'>): Finding[] {
  if (settings.has_database_url && !settings.has_secret_key)
    return [
      warning(
        'configuration',
        'Valid, but SECRET_KEY is not set: the key lies in DATA_DIR and is lost with it',
        'set SECRET_KEY, to the same for all instances on this database',
      ),
    ];
  return [ok('configuration', 'Every setting is valid')];
}

/** Whether the store is, or can be, where PORT and HOST say. */
export function portFindings({ port }: Pick<Facts, 'port'>): Finding[] {
  const { address, state } = port;
  if (state === 'any') return [ok('port', 'PORT is 0: the store will take a free one')];
  if (state === 'free') return [ok('port', `${address} is free for the store`)];
  if (state === 'ready') return [ok('port', `The store answers at ${address} and is ready`)];
  if (state === 'refused') return [refusal('port', port.refusal ?? `${address} cannot be had`)];
  return [
    problem(
      'port',
      `The store at ${address} serves, but says that it is not ready`,
      'look at its log; it is ready again by itself when its database answers',
    ),
  ];
}
