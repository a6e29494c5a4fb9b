import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClockFacts, Facts, ReachableFacts, TopologyFacts } from '../../../src/cli/doctor/facts';
import { evaluateFacts } from '../../../src/cli/doctor/findings';
import { OLDEST_NODE } from '../../../src/cli/doctor/program-findings';

const NOON = Date.UTC(2026, 10, 21, 12);
const MIB = 1024 * 1024;

const clock: ClockFacts = {
  processTime: NOON,
  databaseTime: NOON + 3,
  roundTripMs: 4,
  lastMigrationAt: NOON - 60_000,
};

const reachable: ReachableFacts = {
  kind: 'external',
  state: 'reachable',
  isStoreRunning: false,
  serverVersion: 180_002,
  encoding: 'UTF8',
  canCreate: true,
  denied: [],
  hasTrigrams: true,
  maxConnections: 97,
  appliedMigrations: 12,
  pendingMigrations: [],
  unknownMigrations: [],
  opensKey: true,
  workers: 1,
  clock,
  secureUrl: null,
  testMethods: [],
};

const healthy: Facts = {
  nodeVersion: '20.19.0',
  settings: {
    hasDatabaseUrl: true,
    hasSecretKey: true,
    trustsProxy: false,
    databasePoolSize: 10,
    pools: 1,
    hasInlineWorker: true,
    hasMetricsToken: false,
    allowsPrivateWebhooks: false,
    hasWeakAdminPassword: false,
  },
  environment: { given: ['DATABASE_URL', 'SECRET_KEY'], similar: [] },
  port: { address: '127.0.0.1:3000', state: 'free', refusal: null },
  storage: { dataDir: '/data', exists: true, writeError: null, freeBytes: 5000 * MIB, bucket: null },
  secret: { source: 'setting' },
  mail: null,
  links: { publicUrl: null, collector: null },
  database: reachable,
  topology: {
    hasDirectUrl: false,
    mustWrite: true,
    pooler: null,
    server: { isStandby: false, isReadOnly: false, isEncrypted: true, isLocal: false },
    replica: { state: 'reachable', isStandby: true, hasCaughtUp: true },
  },
};

const keyFile = {
  source: 'file',
  file: '/data/secret_key',
  exists: true,
  readable: true,
  size: 32,
  mode: 0o100600,
} as const;

const withDatabase = (change: Partial<ReachableFacts>): Facts => ({
  ...healthy,
  database: { ...reachable, ...change },
});
const withClock = (change: Partial<ClockFacts>) => withDatabase({ clock: { ...clock, ...change } });
const withStorage = (change: Partial<Facts['storage']>): Facts => ({
  ...healthy,
  storage: { ...healthy.storage, ...change },
});

const ready: Facts['port'] = { address: '127.0.0.1:3000', state: 'ready', refusal: null };
const withSettings = (change: Partial<Facts['settings']>, facts: Facts = healthy): Facts => ({
  ...facts,
  settings: { ...facts.settings, ...change },
});
const apart = (workers: number | null, port = ready): Facts => ({
  ...withSettings({ hasInlineWorker: false }, withDatabase({ workers })),
  port,
});
const withPublicUrl = (leadsToStore: boolean, port = ready): Facts => ({
  ...healthy,
  port,
  links: { publicUrl: { url: 'https://shop.example', leadsToStore }, collector: null },
});
const withCollector = (errorCode: string | null): Facts => ({
  ...healthy,
  links: { publicUrl: null, collector: { host: 'collector:4318', errorCode } },
});

test('a healthy store has no problems', () => {
  expect(evaluateFacts(healthy).map(({ severity, advice }) => ({ severity, advice }))).toEqual(
    Array(14).fill({ severity: 'ok', advice: null }),
  );
});

test.each<[string, Facts, RegExp]>([
  ['a newer Node', { ...healthy, nodeVersion: '24.0.1' }, /^Node\.js 24\.0\.1$/],
  [
    'an embedded database of a running store',
    withDatabase({ kind: 'embedded', isStoreRunning: true }),
    /running/,
  ],
  [
    'a database that does not exist yet',
    { ...healthy, database: { kind: 'embedded', state: 'missing' } },
    /^the first start runs all migrations$/,
  ],
  [
    'a clock difference within the round trip time',
    withClock({ databaseTime: NOON + 2100, roundTripMs: 300 }),
    /in sync with the database$/,
  ],
  ['a slightly corrected clock', withClock({ lastMigrationAt: NOON + 60_000 }), /in sync with the database$/],
  ['a database without migrations', withClock({ lastMigrationAt: null }), /in sync with the database$/],
  [
    'a user who may only read and write rows',
    withDatabase({ canCreate: false }),
    /reachable; the user may not create tables$/,
  ],
  [
    'a bucket that works',
    withStorage({ bucket: { name: 's3://files', problem: null } }),
    /^files are in s3:/,
  ],
  [
    'a mail server',
    { ...healthy, mail: { host: 'mail.example', errorCode: null } },
    /^mail.example accepts mails$/,
  ],
  ['an unknown amount of free space', withStorage({ freeBytes: null }), /^DATA_DIR \/data is writable$/],
  ['a key file readable by its owner only', { ...healthy, secret: keyFile }, /readable by its owner only$/],
  [
    'a DATA_DIR that does not exist yet',
    withStorage({ exists: false }),
    /^DATA_DIR \/data can be created, 5000 MiB free$/,
  ],
  [
    'a proxy that is named',
    {
      ...withDatabase({ secureUrl: 'https://shop.example' }),
      settings: { ...healthy.settings, trustsProxy: true },
    },
    /^all settings are valid$/,
  ],
  ['a worker apart', apart(2), /^processes that work in the background: 2$/],
  [
    'no worker beside a database without tables',
    withSettings(
      { hasInlineWorker: false },
      { ...healthy, database: { kind: 'embedded', state: 'missing' } },
    ),
    /^the first start runs all migrations$/,
  ],
  ['a PUBLIC_URL that leads to a store', withPublicUrl(true), /^https:\/\/shop\.example leads to a store$/],
  [
    'a PUBLIC_URL of a store that is not running',
    withPublicUrl(false, healthy.port),
    /is checked while the store is running$/,
  ],
  ['a collector of traces', withCollector(null), /^collector:4318 answers$/],
  ['a METRICS_TOKEN', withSettings({ hasMetricsToken: true }), /^GET \/metrics requires METRICS_TOKEN$/],
  ['settings that are set', healthy, /^set: DATABASE_URL, SECRET_KEY$/],
  [
    'a store without settings',
    { ...healthy, environment: { given: [], similar: [] } },
    /^all settings have their defaults$/,
  ],
  ['a test gateway of a store on this machine', withDatabase({ testMethods: ['Card'] }), /^reachable/],
  ['PORT=0', { ...healthy, port: { address: '127.0.0.1:0', state: 'any', refusal: null } }, /^PORT is 0;/],
])('%s is not a problem', (_what, facts, message) => {
  const findings = evaluateFacts(facts);
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
  expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(message));
});

/** A changed fact and its only finding. */
test.each<[string, Facts, string, string, RegExp]>([
  ['an old Node', { ...healthy, nodeVersion: '20.18.3' }, 'problem', 'program', /install 20\.19/],
  ['a much older Node', { ...healthy, nodeVersion: '9.30.0' }, 'problem', 'program', /install 20\.19/],
  [
    'a database that another secret key opens',
    withDatabase({ opensKey: false }),
    'problem',
    'secret key',
    /^set SECRET_KEY to that one/,
  ],
  [
    'a key file in DATA_DIR with an external database',
    { ...healthy, settings: { ...healthy.settings, hasSecretKey: false }, secret: keyFile },
    'warning',
    'configuration',
    /set SECRET_KEY/,
  ],
  [
    'a proxy that is not named',
    withDatabase({ secureUrl: 'https://shop.example' }),
    'warning',
    'configuration',
    /set TRUST_PROXY/,
  ],
  [
    'a variable that looks like a setting',
    { ...healthy, environment: { given: [], similar: [{ name: 'MAIL_URI', setting: 'MAIL_URL' }] } },
    'warning',
    'settings',
    /^rename it to MAIL_URL/,
  ],
  [
    'a test gateway of a store that customers reach',
    withSettings(
      { trustsProxy: true },
      withDatabase({ secureUrl: 'https://shop.example', testMethods: ['Card'] }),
    ),
    'warning',
    'payments',
    /^deactivate it/,
  ],
  ['no worker of a running store', apart(0), 'problem', 'worker', /^start npm run worker/],
  ['no worker yet', apart(0, healthy.port), 'warning', 'worker', /^start npm run worker/],
  ['a PUBLIC_URL that leads elsewhere', withPublicUrl(false), 'warning', 'public url', /correct PUBLIC_URL/],
  ['a collector that is away', withCollector('ECONNREFUSED'), 'warning', 'traces', /^start it/],
  [
    'webhooks into private networks',
    withSettings({ allowsPrivateWebhooks: true }),
    'warning',
    'configuration',
    /^unset it/,
  ],
  [
    'a weak password of the administrator',
    withSettings({ hasWeakAdminPassword: true }),
    'warning',
    'configuration',
    /^set a longer one/,
  ],
  ['an old PostgreSQL', withDatabase({ serverVersion: 140_011 }), 'problem', 'database', /upgrade/],
  [
    'a database with another encoding',
    withDatabase({ encoding: 'SQL_ASCII' }),
    'problem',
    'database',
    /ENCODING UTF8/,
  ],
  [
    'a user who may not use a table',
    withDatabase({ canCreate: false, denied: ['audit_log'] }),
    'problem',
    'database',
    /docs\/roles\.sql/,
  ],
  ['a PostgreSQL without pg_trgm', withDatabase({ hasTrigrams: false }), 'problem', 'database', /contrib/],
  [
    'fewer connections than the pool',
    withDatabase({ maxConnections: 14 }),
    'problem',
    'database',
    /max_conn/,
  ],
  [
    'few connections beyond the pool',
    withDatabase({ maxConnections: 19 }),
    'warning',
    'database',
    /another instance/,
  ],
  ['pending migrations', withDatabase({ pendingMigrations: ['a', 'b'] }), 'problem', 'migrations', /npm run/],
  ['a newer database', withDatabase({ unknownMigrations: ['z'] }), 'problem', 'migrations', /newer version/],
  ['a clock at the epoch', withClock({ processTime: 0, databaseTime: 0 }), 'problem', 'clock', /NTP/],
  ['a database 3 s ahead', withClock({ databaseTime: NOON + 3000 }), 'warning', 'clock', /both machines/],
  [
    'a database a minute behind',
    withClock({ databaseTime: NOON - 60_000 }),
    'problem',
    'clock',
    /both machines/,
  ],
  ['a clock set back', withClock({ lastMigrationAt: NOON + 600_000 }), 'problem', 'clock', /this machine/],
  [
    'a DATA_DIR that is not writable',
    withStorage({ writeError: 'EACCES' }),
    'problem',
    'storage',
    /make it writable/,
  ],
  [
    'a mail server with another password',
    { ...healthy, mail: { host: 'mail.example', errorCode: 'EAUTH' } },
    'problem',
    'mail',
    /password/,
  ],
  [
    'a mail server that is away',
    { ...healthy, mail: { host: 'mail.example', errorCode: 'ESOCKET' } },
    'problem',
    'mail',
    /wait in the queue/,
  ],
  [
    'a bucket that does not work',
    withStorage({ bucket: { name: 's3://files', problem: { message: 'x', advice: 'create it' } } }),
    'problem',
    'storage',
    /create it/,
  ],
  ['a full disk', withStorage({ writeError: 'ENOSPC' }), 'problem', 'storage', /free disk space/],
  ['a disk almost full', withStorage({ freeBytes: 199 * MIB }), 'problem', 'storage', /free disk space/],
  [
    'a disk with little free space',
    withStorage({ freeBytes: 1000 * MIB }),
    'warning',
    'storage',
    /free disk space/,
  ],
  [
    'an unreadable key file',
    { ...healthy, secret: { ...keyFile, readable: false } },
    'problem',
    'secret key',
    /run as/,
  ],
  [
    'a truncated key file',
    { ...healthy, secret: { ...keyFile, size: 16 } },
    'problem',
    'secret key',
    /restore/,
  ],
  [
    'a key file readable by its group',
    { ...healthy, secret: { ...keyFile, mode: 0o100640 } },
    'problem',
    'secret key',
    /chmod 600/,
  ],
  [
    'a port in use',
    { ...healthy, port: { address: 'h:1', state: 'refused', refusal: 'Port 1 is in use: stop it' } },
    'problem',
    'port',
    /^stop it$/,
  ],
  [
    'a store that is not ready',
    { ...healthy, port: { address: 'h:1', state: 'not_ready', refusal: null } },
    'problem',
    'port',
    /log/,
  ],
])('%s', (_what, facts, severity, subject, advice) => {
  const findings = evaluateFacts(facts).filter((finding) => finding.severity !== 'ok');
  expect(findings).toEqual([
    { subject, severity, message: expect.any(String), advice: expect.stringMatching(advice) },
  ]);
});

test('an unreachable database is one finding, with the message of the program', () => {
  const refusal = 'There is no database "x" at db:5432: create it';
  const database = { kind: 'external', state: 'unreachable', refusal } as const;

  expect(evaluateFacts({ ...healthy, database }).filter(({ severity }) => severity !== 'ok')).toEqual([
    {
      subject: 'database',
      severity: 'problem',
      message: 'There is no database "x" at db:5432',
      advice: 'create it',
    },
  ]);
});

test('all problems are reported together', () => {
  const facts = withDatabase({ canCreate: false, hasTrigrams: false, pendingMigrations: ['a'] });
  const subjects = evaluateFacts(facts)
    .filter(({ severity }) => severity === 'problem')
    .map(({ subject }) => subject);
  expect(subjects).toEqual(['database', 'database', 'migrations']);
});

test('the minimum Node version is that of package.json', () => {
  const { engines } = JSON.parse(readFileSync(path.join(__dirname, '../../../package.json'), 'utf8'));
  expect(engines.node).toBe(`^${OLDEST_NODE.join('.')} || ^22.12 || >=24`);
});

describe('what lies between the store and its database', () => {
  const standby = { isStandby: true, isReadOnly: true, isEncrypted: true, isLocal: false };
  const topologies: [string, Partial<TopologyFacts>, string, RegExp][] = [
    ['a standby', { server: standby }, 'problem', /standby/],
    ['a standby of a store that only reads', { server: standby, mustWrite: false }, 'ok', /to a standby/],
    [
      'a read-only primary',
      { server: { ...standby, isStandby: false } },
      'problem',
      /default_transaction_read_only/,
    ],
    ['a pooler', { pooler: { canPrepare: true } }, 'warning', /leads to a connection pooler/],
    [
      'a pooler and the database itself',
      { pooler: { canPrepare: true }, hasDirectUrl: true },
      'ok',
      /pooler/,
    ],
    [
      'an old pooler',
      { pooler: { canPrepare: false }, hasDirectUrl: true },
      'warning',
      /prepared statements/,
    ],
    [
      'a plain connection',
      { server: { ...standby, isEncrypted: false }, mustWrite: false },
      'warning',
      /encrypted/,
    ],
    [
      'a plain connection on one machine',
      { server: { ...standby, isEncrypted: false, isLocal: true }, mustWrite: false },
      'ok',
      /^direct, to/,
    ],
    ['a dead replica', { replica: { state: 'unreachable' } }, 'warning', /cannot be reached/],
    [
      'a replica that is none',
      { replica: { state: 'reachable', isStandby: false, hasCaughtUp: true } },
      'problem',
      /replicates no other/,
    ],
    [
      'a replica that lags',
      { replica: { state: 'reachable', isStandby: true, hasCaughtUp: false } },
      'warning',
      /behind/,
    ],
  ];

  test.each(topologies)('%s', (_name, change, severity, message) => {
    const topology = { ...(healthy.topology as TopologyFacts), ...change }; // `healthy` has one
    const found = evaluateFacts({ ...healthy, topology });
    expect(found).toContainEqual(
      expect.objectContaining({ severity, message: expect.stringMatching(message) }),
    );
    const others = found.filter((finding) => !message.test(finding.message));
    expect(others.filter((finding) => finding.severity !== 'ok')).toEqual([]);
  });
});
