import type { Facts } from './facts';
import { ok, problem, refusal, warning, type Finding } from './finding';

/** The minimum in `engines` of package.json; a test compares them. */
export const OLDEST_NODE = [20, 19] as const;

/** Checks the version of Node. */
export function checkProgram({ nodeVersion }: Pick<Facts, 'nodeVersion'>): Finding[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const [minMajor, minMinor] = OLDEST_NODE;
  const isSupported = major > minMajor || (major === minMajor && minor >= minMinor);
  if (isSupported) return [ok('program', `Node.js ${nodeVersion}`)];
  const minimum = OLDEST_NODE.join('.');
  return [problem('program', `Node.js ${nodeVersion} is too old`, `install ${minimum} or newer`)];
}

/** Reports which settings are set, without their values, and variables that look like misspelled ones. */
export function checkEnvironment({ environment: { given, similar } }: Pick<Facts, 'environment'>): Finding[] {
  const text = given.length === 0 ? 'all settings have their defaults' : `set: ${given.join(', ')}`;
  const misspelled = similar.map(({ name, setting }) =>
    warning(
      'settings',
      `${name} is not a setting of the store`,
      `rename it to ${setting} if that is what it means`,
    ),
  );
  return [ok('settings', text), ...misspelled];
}

/** Checks whether customers of a store that has gone live could pay with test cards. */
export function checkPayments({ database }: Pick<Facts, 'database'>): Finding[] {
  if (database.state !== 'reachable' || database.secureUrl === null) return [];
  return database.testMethods.map((name) =>
    warning(
      'payments',
      `the payment method "${name}" accepts test cards, which move no money`,
      `deactivate it if the store at ${database.secureUrl} sells: PUT /api/v1/payment_methods/:id with active false`,
    ),
  );
}

/** Checks combinations of valid settings. */
export function checkConfiguration({ settings, database }: Pick<Facts, 'settings' | 'database'>): Finding[] {
  const worries: Finding[] = [];
  const report = (message: string, advice: string) => worries.push(warning('configuration', message, advice));
  if (settings.hasDatabaseUrl && !settings.hasSecretKey)
    report(
      'SECRET_KEY is not set; the key is stored in DATA_DIR and is lost with it',
      'set SECRET_KEY to the same value on all instances',
    );
  if (settings.allowsPrivateWebhooks)
    report(
      'WEBHOOK_ALLOW_PRIVATE is true; webhooks may lead into the private network of the store',
      'unset it, unless administrators may send requests to every service there',
    );
  if (settings.hasWeakAdminPassword)
    report(
      'ADMIN_PASSWORD is shorter than 8 characters or one of the most common; other accounts cannot have such a password',
      'set a longer one and restart the store',
    );
  const secureUrl = database.state === 'reachable' ? database.secureUrl : null;
  if (secureUrl !== null && !settings.trustsProxy)
    report(
      `the store is at ${secureUrl}, behind a proxy that TRUST_PROXY does not name; all visitors count as one network address, whose limits they share`,
      'set TRUST_PROXY to the number of proxies or to their addresses',
    );
  return worries.length > 0 ? worries : [ok('configuration', 'all settings are valid')];
}

/** Checks whether the store runs, or can run, at HOST and PORT. */
export function checkPort({ port }: Pick<Facts, 'port'>): Finding[] {
  const { address, state } = port;
  if (state === 'any') return [ok('port', 'PORT is 0; the store will use a free port')];
  if (state === 'free') return [ok('port', `${address} is available`)];
  if (state === 'ready') return [ok('port', `the store is running at ${address} and ready`)];
  if (state === 'refused') return [refusal('port', port.refusal ?? `${address} is not available`)];
  return [
    problem(
      'port',
      `the store is running at ${address} but not ready`,
      'check its log; it becomes ready again when its database is available',
    ),
  ];
}
