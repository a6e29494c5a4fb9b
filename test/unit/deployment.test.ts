import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config';
import { EnvironmentSchema } from '../../src/environment';

const read = (file: string) => readFileSync(path.join(__dirname, '../..', file), 'utf8');

const settings = Object.keys(EnvironmentSchema.shape);
/** Variables of other programs. */
const OTHERS = { node: ['NODE_ENV'], postgres: /^(POSTGRES_\w+|(OWNER|APP|REPLICATION)_PASSWORD)$/ };

const dockerfile = read('Dockerfile').replace(/\\\n/g, ' ');
const instructions = dockerfile
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => {
    const [name = '', ...rest] = line.split(' ');
    return { name, value: rest.join(' ').trim() };
  });
const valuesOf = (name: string) => instructions.filter((one) => one.name === name).map(({ value }) => value);

const compose = parse(read('docker-compose.yml'));
const example = new Map(
  read('.env.example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/=(.*)/s, 2) as [string, string]), // every such line is NAME=value, or the test fails
);

describe('Dockerfile', () => {
  const env = new Map(
    valuesOf('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
  );

  test('sets only known variables, to valid values', () => {
    const own = [...env.keys()].filter((name) => !OTHERS.node.includes(name));

    expect(settings).toEqual(expect.arrayContaining(own));
    expect(loadConfig(Object.fromEntries(env))).toMatchObject({ host: '0.0.0.0', dataDir: '/data' });
  });

  test('runs as an unprivileged user on a glibc base, from a second stage', () => {
    const bases = valuesOf('FROM');

    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^node:24-[a-z]+-slim\b/);
    expect(valuesOf('USER')).toEqual(['node']);
  });

  test('has the port, data volume and health check of the configuration', () => {
    expect(valuesOf('EXPOSE')).toEqual([env.get('PORT')]);
    expect(valuesOf('VOLUME')).toEqual([env.get('DATA_DIR')]);
    expect(valuesOf('HEALTHCHECK')[0]).toContain('/health/ready');
  });

  test('starts the same file as npm start', () => {
    const [command] = valuesOf('CMD').map((value) => JSON.parse(value) as string[]);
    const { main } = JSON.parse(read('package.json')) as { main: string };

    expect(command?.at(-1)).toBe(main);
    expect(existsSync(path.join(__dirname, '../..', main.replace(/^dist\//, '').replace(/js$/, 'ts')))).toBe(
      true,
    );
  });

  test('the build context contains everything that is copied and compiled, and nothing else of this project', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const { include } = JSON.parse(read('tsconfig.build.json')) as { include: string[] };

    expect(allowed).toEqual(expect.arrayContaining([...include, 'bin', 'package.json', 'package-lock.json']));
    expect(allowed.filter((name) => name.startsWith('.env') || name === '.data')).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const { app, db, migrate, replica } = compose.services;

  test('passes only known settings to the store, and all that the image does not set', () => {
    const fixed = ['PORT', 'HOST', 'DATA_DIR'];

    expect(Object.keys(app.environment).sort()).toEqual(
      settings.filter((name) => !fixed.includes(name)).sort(),
    );
  });

  test('with .env.example and passwords, the store accepts its settings', () => {
    const given = new Map([...example, ['APP_PASSWORD', 'secret']]);
    const values = Object.entries<string>(app.environment).map(([name, text]) => [
      name,
      text.replace(
        /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
        (_all, variable: string, otherwise: string) => given.get(variable) || otherwise,
      ),
    ]);

    expect(loadConfig(Object.fromEntries(values))).toMatchObject({
      databaseUrl: 'postgres://store_app:secret@db:5432/store',
      seed: 'reference',
    });
  });

  test('every variable it uses is documented in .env.example', () => {
    const variables = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);

    expect([...example.keys()]).toEqual(expect.arrayContaining(variables));
  });

  test("the settings of the database are PostgreSQL's or passwords, and match the URL of the store", () => {
    for (const name of Object.keys(db.environment)) expect(name).toMatch(OTHERS.postgres);
    const url = new URL(app.environment.DATABASE_URL.replace(/\$\{.*\}/, 'secret'));

    expect(read('docs/roles.sql')).toContain(url.username);
    expect(url.pathname).toBe(`/${db.environment.POSTGRES_DB}`);
    expect(compose.services).toHaveProperty(url.hostname);
  });

  test('the store waits for a healthy database, which has been migrated, and all use declared volumes', () => {
    expect(app.depends_on.migrate.condition).toBe('service_completed_successfully');
    expect(migrate.depends_on.db.condition).toBe('service_healthy');
    expect(db.healthcheck.test).toContain('pg_isready');
    const mounts = [...app.volumes, ...db.volumes, ...replica.volumes].map((mount: string) =>
      mount.split(':'),
    );

    expect(mounts.map(([name]) => name).sort()).toEqual(Object.keys(compose.volumes).sort());
    expect(mounts[0]?.[1]).toBe(valuesOf('VOLUME')[0]);
  });
});

describe('.env.example', () => {
  test('contains every setting, and otherwise only variables of docker-compose.yml', () => {
    expect([...example.keys()].filter((name) => !OTHERS.postgres.test(name)).sort()).toEqual(
      [...settings].sort(),
    );
  });

  test('its values are the defaults', () => {
    expect(loadConfig(Object.fromEntries(example))).toEqual(loadConfig({}));
  });
});
