import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClockFacts, Facts, ReachableFacts } from '../../../src/cli/doctor/facts';
import { findingsOf } from '../../../src/cli/doctor/findings';
import { OLDEST_NODE } from '../../../src/cli/doctor/program-findings';

const NOON = Date.UTC(2026, 10, 21, 12);
const MIB = 1024 * 1024;

const clock: ClockFacts = {
  process_at: NOON,
  database_at: NOON + 3,
  round_trip_ms: 4,
  last_migration_at: NOON - 60_000,
};

const reachable: ReachableFacts = {
  kind: 'external',
  state: 'reachable',
  runs_already: false,
  server_version_num: 180_002,
  encoding: 'UTF8',
  may_create: true,
  has_trigrams: true,
  connection_limit: 97,
  applied_migrations: 12,
  pending_migrations: [],
  unknown_migrations: [],
  clock,
};

const healthy: Facts = {
  node_version: '20.19.0',
  settings: { has_database_url: true, has_secret_key: true, database_pool_size: 10 },
  port: { address: '127.0.0.1:3000', state: 'free', refusal: null },
  storage: { data_dir: '/data', is_made: true, write_error: null, free_bytes: 5000 * MIB },
  secret: { source: 'setting' },
  database: reachable,
};

const keyFile = {
  source: 'file',
  file: '/data/secret_key',
  is_made: true,
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

test('all is well with a healthy store', () => {
  expect(findingsOf(healthy).map(({ severity, advice }) => ({ severity, advice }))).toEqual(
    Array(8).fill({ severity: 'ok', advice: null }),
  );
});

test.each<[string, Facts, RegExp]>([
  ['a newer Node', { ...healthy, node_version: '24.0.1' }, /^Node\.js 24\.0\.1$/],
  [
    'an embedded database of a running store',
    withDatabase({ kind: 'embedded', runs_already: true }),
    /running/,
  ],
  [
    'a database that is still to be made',
    { ...healthy, database: { kind: 'embedded', state: 'not_made' } },
    /^The first start runs them$/,
  ],
  [
    'clocks that differ by no more than the way takes',
    withClock({ database_at: NOON + 2100, round_trip_ms: 300 }),
    /agrees$/,
  ],
  ['a clock corrected a little', withClock({ last_migration_at: NOON + 60_000 }), /agrees$/],
  ['nothing migrated yet', withClock({ last_migration_at: null }), /agrees$/],
  ['a disk that does not tell', withStorage({ free_bytes: null }), /^DATA_DIR \/data is writable$/],
  ['a key only this user can read', { ...healthy, secret: keyFile }, /for this user only$/],
  [
    'a folder that is still to be made',
    withStorage({ is_made: false }),
    /^DATA_DIR \/data can be made, 5000 MiB are free$/,
  ],
  ['any port', { ...healthy, port: { address: '127.0.0.1:0', state: 'any', refusal: null } }, /^PORT is 0/],
])('nothing is wrong with %s', (_what, facts, message) => {
  const findings = findingsOf(facts);
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
  expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(message));
});

/** What is changed, and the one finding it leads to. */
test.each<[string, Facts, string, string, RegExp]>([
  ['an old Node', { ...healthy, node_version: '20.18.3' }, 'problem', 'program', /install 20\.19/],
  ['a much older Node', { ...healthy, node_version: '9.30.0' }, 'problem', 'program', /install 20\.19/],
  [
    'a key that is lost with a folder, on a database that is not',
    { ...healthy, settings: { ...healthy.settings, has_secret_key: false }, secret: keyFile },
    'warning',
    'configuration',
    /set SECRET_KEY/,
  ],
  ['an old PostgreSQL', withDatabase({ server_version_num: 140_011 }), 'problem', 'database', /upgrade/],
  [
    'texts in another encoding',
    withDatabase({ encoding: 'SQL_ASCII' }),
    'problem',
    'database',
    /ENCODING UTF8/,
  ],
  ['a user who may make no tables', withDatabase({ may_create: false }), 'problem', 'database', /grant/],
  ['a PostgreSQL without pg_trgm', withDatabase({ has_trigrams: false }), 'problem', 'database', /contrib/],
  [
    'fewer connections than the pool',
    withDatabase({ connection_limit: 9 }),
    'problem',
    'database',
    /max_conn/,
  ],
  [
    'hardly more connections',
    withDatabase({ connection_limit: 14 }),
    'warning',
    'database',
    /another instance/,
  ],
  [
    'pending migrations',
    withDatabase({ pending_migrations: ['a', 'b'] }),
    'problem',
    'migrations',
    /npm run/,
  ],
  ['a newer database', withDatabase({ unknown_migrations: ['z'] }), 'problem', 'migrations', /newer version/],
  ['a clock of long ago', withClock({ process_at: 0, database_at: 0 }), 'problem', 'clock', /NTP/],
  ['a database 3 s ahead', withClock({ database_at: NOON + 3000 }), 'warning', 'clock', /both machines/],
  [
    'a database a minute behind',
    withClock({ database_at: NOON - 60_000 }),
    'problem',
    'clock',
    /both machines/,
  ],
  ['a clock set back', withClock({ last_migration_at: NOON + 600_000 }), 'problem', 'clock', /this machine/],
  ['a folder closed to us', withStorage({ write_error: 'EACCES' }), 'problem', 'storage', /make it writable/],
  ['a full disk', withStorage({ write_error: 'ENOSPC' }), 'problem', 'storage', /make room/],
  ['a disk almost full', withStorage({ free_bytes: 199 * MIB }), 'problem', 'storage', /make room/],
  ['a disk that fills', withStorage({ free_bytes: 1000 * MIB }), 'warning', 'storage', /make room/],
  [
    'a key of another user',
    { ...healthy, secret: { ...keyFile, readable: false } },
    'problem',
    'secret key',
    /run as/,
  ],
  ['half a key', { ...healthy, secret: { ...keyFile, size: 16 } }, 'problem', 'secret key', /restore/],
  [
    'a key open to its group',
    { ...healthy, secret: { ...keyFile, mode: 0o100640 } },
    'problem',
    'secret key',
    /chmod 600/,
  ],
  [
    'a port that is taken',
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
  const findings = findingsOf(facts).filter((finding) => finding.severity !== 'ok');
  expect(findings).toEqual([
    { subject, severity, message: expect.any(String), advice: expect.stringMatching(advice) },
  ]);
});

test('a database that cannot be had is one finding, in the words of the program', () => {
  const refusal = 'There is no database "x" at db:5432: create it';
  const database = { kind: 'external', state: 'unreachable', refusal } as const;

  expect(findingsOf({ ...healthy, database }).filter(({ severity }) => severity !== 'ok')).toEqual([
    {
      subject: 'database',
      severity: 'problem',
      message: 'There is no database "x" at db:5432',
      advice: 'create it',
    },
  ]);
});

test('everything that is wrong is told at once', () => {
  const facts = withDatabase({ may_create: false, has_trigrams: false, pending_migrations: ['a'] });
  const subjects = findingsOf(facts)
    .filter(({ severity }) => severity === 'problem')
    .map(({ subject }) => subject);
  expect(subjects).toEqual(['database', 'database', 'migrations']);
});

test('the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync(path.join(__dirname, '../../../package.json'), 'utf8'));
  expect(engines.node).toBe(`>=${OLDEST_NODE.join('.')}`);
});
