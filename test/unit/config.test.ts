import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, examineEnvironment, loadConfig } from '../../src/config';
import { EnvironmentSchema, SECRET_SETTINGS } from '../../src/environment';

test('the defaults are an embedded database with the demo store on port 3000', () => {
  expect(loadConfig({})).toEqual({
    port: 3000,
    hasFastCarts: false,
    databaseDirectUrl: null,
    databaseReplicaUrl: null,
    isReadOnly: false,
    workers: 1,
    hasInlineWorker: true,
    host: '127.0.0.1',
    databaseUrl: null,
    dataDir: `${process.cwd()}/.data`,
    admin: { email: 'admin@example.com', password: null, token: null },
    secretKey: null,
    secretKeyPrevious: null,
    seed: 'demo',
    logLevel: 'info',
    logFormat: 'auto',
    corsOrigins: ['*'],
    trustProxy: 0,
    databasePoolSize: 10,
    maxInFlight: 256,
    cartMaxAgeDays: 90,
    publicUrl: null,
    storage: null,
    metricsToken: null,
    tracesUrl: null,
    mailUrl: null,
    allowsPrivateWebhooks: false,
    rateLimitScale: 1,
    shutdownDelayMs: 300,
    slowStatementMs: 500,
    catalogMaxAge: 0,
    catalogStaleSeconds: 0,
    hasStorefront: true,
    hasOffice: true,
  });
});

test('SEED defaults to reference with an external database', () => {
  const DATABASE_URL = 'postgres://store:secret@db/store';

  expect(loadConfig({ DATABASE_URL })).toMatchObject({ databaseUrl: DATABASE_URL, seed: 'reference' });
  expect(loadConfig({ DATABASE_URL, SEED: 'none' }).seed).toBe('none');
});

test('DATABASE_DIRECT_URL needs DATABASE_URL', () => {
  const DATABASE_DIRECT_URL = 'postgres://store:secret@db/store';

  expect(() => loadConfig({ DATABASE_DIRECT_URL })).toThrow(
    'DATABASE_DIRECT_URL must be unset if DATABASE_URL is unset',
  );
});

test('shop and back office are served in the demo store, unless their settings say otherwise', () => {
  expect(loadConfig({}).hasStorefront).toBe(true);
  expect(loadConfig({ SEED: 'none' }).hasStorefront).toBe(false);
  expect(loadConfig({ STOREFRONT: 'false' }).hasStorefront).toBe(false);
  expect(loadConfig({ SEED: 'none', STOREFRONT: 'true' }).hasStorefront).toBe(true);
  expect(loadConfig({}).hasOffice).toBe(true);
  expect(loadConfig({ SEED: 'none' }).hasOffice).toBe(false);
  expect(loadConfig({ OFFICE: 'false' }).hasOffice).toBe(false);
});

test('an empty variable counts as unset', () => {
  expect(loadConfig({ PORT: '', SEED: '', ADMIN_TOKEN: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
});

test('the configuration is frozen', () => {
  const config = loadConfig({});

  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.admin)).toBe(true);
});

test.each([
  [
    'CORS_ORIGINS',
    'https://a.example, http://localhost:5173',
    { corsOrigins: ['https://a.example', 'http://localhost:5173'] },
  ],
  ['TRUST_PROXY', '2', { trustProxy: 2 }],
  ['PUBLIC_URL', 'https://api.shop.example/', { publicUrl: 'https://api.shop.example' }],
  ['PUBLIC_URL', 'https://shop.example/@store', { publicUrl: 'https://shop.example/@store' }],
  [
    'TRUST_PROXY',
    'loopback, 10.0.0.0/8,2001:db8::1',
    { trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::1'] },
  ],
  ['MAIL_URL', 'smtps://mail.example', { mailUrl: 'smtps://mail.example' }],
  ['STORAGE_URL', 's3://files', { storage: { bucket: 'files' } }],
  ['DATA_DIR', '/srv/store', { dataDir: '/srv/store' }],
  ['PORT', '0', { port: 0 }],
  ['RATE_LIMIT_SCALE', '0.5', { rateLimitScale: 0.5 }],
  ['RATE_LIMIT_SCALE', '0', { rateLimitScale: 0 }],
])('accepts %s=%s', (name, value, expected) => {
  expect(loadConfig({ [name]: value })).toMatchObject(expected);
});

test.each([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3e3'],
  ['PORT', ' 3000'],
  ['HOST', 'http://localhost'],
  ['MAIL_URL', 'https://mail.example'],
  ['METRICS_TOKEN', 'too short'],
  ['PUBLIC_URL', 'https://shop.example/?page=1'],
  ['PUBLIC_URL', 'https://staging:secret@shop.example'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector'],
  ['STORAGE_URL', 'https://files.s3.amazonaws.com'],
  ['DATABASE_URL', 'postgres://db'],
  ['DATABASE_URL', 'db:5432/store'],
  ['ADMIN_EMAIL', 'admin'],
  ['ADMIN_PASSWORD', 'short'],
  ['ADMIN_TOKEN', 'two words'],
  ['SECRET_KEY', 'short'],
  ['SECRET_KEY_PREVIOUS', 'short'],
  ['SEED', 'Demo'],
  ['LOG_LEVEL', 'verbose'],
  ['LOG_FORMAT', 'xml'],
  ['CORS_ORIGINS', 'shop.example'],
  ['CORS_ORIGINS', 'https://shop.example/'],
  ['CORS_ORIGINS', ','],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '300.0.0.1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['DATABASE_POOL_SIZE', '1'],
  ['MAX_IN_FLIGHT', '0'],
])('%s=%s is rejected in one line that names it', (name, value) => {
  const load = () => loadConfig({ [name]: value });

  expect(load).toThrow(ConfigError);
  expect(load).toThrow(new RegExp(`^${name} must be .+$`));
});

test('an error names every invalid setting and contains no secrets', () => {
  const secrets = { ADMIN_PASSWORD: 'abc', ADMIN_TOKEN: 'to ken', DATABASE_URL: 'mysql://root:hunter2@db/x' };
  let message = '';
  try {
    loadConfig(secrets);
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }

  for (const [name, value] of Object.entries(secrets)) {
    expect(message).toContain(`${name} must be `);
    expect(message).not.toContain(value);
  }
  expect(message).not.toMatch(/hunter2|\n/);
});

describe('secrets in files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'store-secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const VALUES: Record<(typeof SECRET_SETTINGS)[number], string> = {
    DATABASE_URL: 'postgres://store:secret@db/store',
    DATABASE_DIRECT_URL: 'postgres://store:secret@db/store',
    DATABASE_REPLICA_URL: 'postgres://store:secret@replica/store',
    ADMIN_PASSWORD: 'correct horse',
    ADMIN_TOKEN: 'token',
    SECRET_KEY: 'a key of sixteen or more',
    SECRET_KEY_PREVIOUS: 'the key of the year before',
    STORAGE_URL: 's3://key:secret@files',
    MAIL_URL: 'smtps://user:secret@mail.example',
    METRICS_TOKEN: 'token of Prometheus'.replaceAll(' ', '-'),
  };

  test.each(SECRET_SETTINGS)(
    '%s may be in the file that NAME_FILE names, with a line break at its end',
    (name) => {
      const file = path.join(folder, name);
      writeFileSync(file, `${VALUES[name]}\n`);
      const required = name.startsWith('DATABASE_') ? { DATABASE_URL: VALUES.DATABASE_URL } : {};
      const others = name === 'DATABASE_URL' ? {} : required;
      expect(loadConfig({ ...others, [`${name}_FILE`]: file, [name]: '' })).toEqual(
        loadConfig({ ...others, [name]: VALUES[name] }),
      );
      expect(examineEnvironment({ [`${name}_FILE`]: file }).given).toEqual([name]);
    },
  );

  test('a file that cannot be read, or a value beside it, is refused in one line', () => {
    const file = path.join(folder, 'missing');
    expect(() => loadConfig({ SECRET_KEY_FILE: file })).toThrow(
      new ConfigError('SECRET_KEY_FILE must be a readable file (ENOENT)'),
    );
    expect(() => loadConfig({ SECRET_KEY_FILE: file, SECRET_KEY: VALUES.SECRET_KEY })).toThrow(
      new ConfigError('SECRET_KEY_FILE must be unset if SECRET_KEY is set'),
    );
    writeFileSync(file, 'short\n');
    expect(() => loadConfig({ SECRET_KEY_FILE: file })).toThrow(/^SECRET_KEY must be 16/);
  });

  test('other settings are not read from files', () => {
    writeFileSync(path.join(folder, 'port'), '4000');
    expect(loadConfig({ PORT_FILE: path.join(folder, 'port') }).port).toBe(3000);
  });
});

describe('the variables that are set', () => {
  test.each(Object.keys(EnvironmentSchema.shape))('%s is named', (name) => {
    expect(examineEnvironment({ PATH: '/bin', [name]: 'x' })).toEqual({ given: [name], similar: [] });
    expect(examineEnvironment({ [name]: '' }).given).toEqual([]);
  });

  test.each([
    ['MAIL_URI', 'MAIL_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['SECRET_KEY_FIEL', 'SECRET_KEY_FILE'],
    ['mail_url', 'MAIL_URL'],
    ['WEBHOOKS_ALLOW_PRIVATE', 'WEBHOOK_ALLOW_PRIVATE'],
  ])('%s is probably meant to be %s', (name, setting) => {
    expect(examineEnvironment({ [name]: 'x' }).similar).toEqual([{ name, setting }]);
  });

  test('variables of the machine are no misspelled settings', () => {
    const others = [
      'HOME',
      'PATH',
      'SHELL',
      'USER',
      'HOSTNAME',
      'PORTS',
      'NODE_ENV',
      'PGHOST',
      'TMPDIR',
      'MAIL',
    ];
    expect(examineEnvironment(Object.fromEntries(others.map((name) => [name, 'x']))).similar).toEqual([]);
  });
});
