import { runStoreCommand } from '../support/command-line';

/** An unreachable database: a command that connects before it reads its arguments fails differently. */
const NOWHERE = { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' };

const COMMANDS = [
  'migrate',
  'import',
  'export',
  'seed',
  'user create',
  'token create',
  'token list',
  'token revoke',
  'verify',
  'reconcile',
  'doctor',
  'backup',
  'restore',
  'files move',
];

test.each(COMMANDS)('%s --help documents exit codes and --json', async (command) => {
  const { code, stdout, stderr } = await runStoreCommand([...command.split(' '), '--help'], NOWHERE);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Usage: store ${command} [options]`);
  expect(stdout).toMatch(/--json +print/);
  expect(stdout).toMatch(/\nExit codes: 0 .*, 1 .*, 2 usage error\.\n/);
});

test('--help lists every command', async () => {
  const { code, stdout } = await runStoreCommand(['--help'], NOWHERE);

  expect(code).toBe(0);
  const names = [...stdout.matchAll(/^ {2}(\w+) .*/gm)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set([...COMMANDS.map((name) => name.split(' ')[0]), 'help']));
});

test.each<[string[], RegExp]>([
  [[], /^Usage: store /],
  [['token'], /^Usage: store token /],
  [['tokn'], /unknown command 'tokn'\n\(Did you mean token\?\)/],
  [['verify', '--fix'], /unknown option '--fix'/],
  [['verify', 'all'], /too many arguments/],
  [['reconcile', '--from', '2026-02-30'], /Must be a date/],
  [['migrate', 'sideways'], /Allowed choices are up, down, status/],
  [['migrate', 'up', '--down'], /--down contradicts up/],
  [['seed', 'everything'], /Allowed choices are none, reference, demo/],
  [['seed', '--products', '1e3'], /whole number from 1 to 5000000/],
  [['seed', '--products', '5000001'], /whole number from 1 to 5000000/],
  [['seed', '--products', '5', '--images', '9'], /whole number from 1 to 8/],
  [['seed', '--images', '2'], /--images requires --products/],
  [['files'], /^Usage: store files /],
  [['files', 'move'], /missing required argument 'to'/],
  [['files', 'move', 'tape'], /Allowed choices are bucket, disk/],
  [['user', 'create'], /missing required argument 'email'/],
  [['token', 'revoke', 'ann@example.com'], /missing required argument 'id'/],
  [['token', 'revoke', 'ann@example.com', '0'], /whole number from 1 to/],
])('%j is a usage error, reported on stderr', async (argv, message) => {
  expect(await runStoreCommand(argv, NOWHERE)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

test('an invalid setting or an unreachable database is one line and exit code 1', async () => {
  expect(await runStoreCommand(['verify'], { PORT: 'http' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'PORT must be a whole number from 0 to 65535\n',
  });
  const lost = await runStoreCommand(['token', 'list', 'ann@example.com', '--json'], NOWHERE);
  const error =
    'The database at 127.0.0.1:1 cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL';
  expect({ ...lost, stdout: JSON.parse(lost.stdout) }).toEqual({
    code: 1,
    stdout: { error },
    stderr: `${error}\n`,
  });
});
