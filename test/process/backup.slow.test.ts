import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcesses } from '../../src/platform/database/embedded/processes';
import { runStoreProgram } from '../support/command-line';
import { copyDemoStore } from '../support/demo-store';
import { createShopper } from '../support/program-shopper';
import { killPrograms, startProgram, type Program } from '../support/program';

const ADMIN_TOKEN = 'backup-admin-token';

let folder: string;
let store: Program;
let settings: { DATA_DIR: string; SEED: string; ADMIN_TOKEN: string };

/** A backup that all tests may restore. */
let backup: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-backup-')));
  settings = { DATA_DIR: path.join(folder, 'data'), SEED: 'demo', ADMIN_TOKEN };
  backup = path.join(folder, 'backups', 'shared');
  await copyDemoStore(settings.DATA_DIR);
  store = await startProgram(settings);
  expect(await runStoreProgram(['backup', backup], settings)).toMatchObject({ code: 0, stderr: '' });
});

beforeEach(async () => {
  if (store.child.exitCode !== null) store = await startProgram(settings);
});

afterAll(async () => {
  killPrograms();
  for (const name of readdirSync(folder)) {
    const cluster = path.join(folder, name, 'postgres');
    if (existsSync(cluster)) await endProcesses(cluster);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function read(pathname: string): Promise<any> {
  const reply = await fetch(`${store.url}/api/v1${pathname}`, { headers: { 'X-Store-Token': ADMIN_TOKEN } });
  return { status: reply.status, ...((await reply.json()) as object) };
}

/** Returns a product that is in stock, with the bytes of its image. */
async function findProduct(): Promise<{ variantId: number; image: Buffer }> {
  const { products } = await read('/products?per_page=50');
  const product = products.find((one: any) => one.total_on_hand > 100 && one.master.images.length > 0);
  const image = await fetch(new URL(product.master.images[0].large_url, store.url));
  expect(image.status).toBe(200);
  return {
    variantId: (product.has_variants ? product.variants[0] : product.master).id,
    image: Buffer.from(await image.arrayBuffer()),
  };
}

async function stop(): Promise<void> {
  store.child.kill('SIGTERM');
  await store.exited;
}

test('a backup under load restores a destroyed store: every order answered before it, files, tokens; verify is clean', async () => {
  const { variantId, image } = await findProduct();
  const shoppers = await Promise.all([1, 2, 3].map(() => createShopper(() => store.url)));
  const bought: string[] = [];
  let isOver = false;
  const load = shoppers.map(async (shopper) => {
    while (!isOver) bought.push(await shopper.buy(variantId));
  });
  while (bought.length < 3) await fetch(`${store.url}/health/live`);

  const before = [...bought];
  const loaded = path.join(folder, 'backups', 'loaded');
  const made = await runStoreProgram(['backup', loaded, '--json'], settings);
  const during = bought.length - before.length;
  isOver = true;
  await Promise.all(load);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(made.stdout)).toMatchObject({ kind: 'embedded', has_secret_key: true });
  expect(during).toBeGreaterThan(0);

  store.child.kill('SIGKILL');
  await store.exited;
  await endProcesses(path.join(settings.DATA_DIR, 'postgres'));
  rmSync(settings.DATA_DIR, { recursive: true });

  const restored = await runStoreProgram(['restore', loaded], settings);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const verified = await runStoreProgram(['verify'], settings);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^All \d+ invariants hold/) });

  store = await startProgram(settings);
  for (const number of before)
    expect(await read(`/orders/${number}`)).toMatchObject({ status: 200, state: 'complete' });
  expect((await findProduct()).image.equals(image)).toBe(true);
  const shopper = await createShopper(() => store.url);
  await shopper.buy(variantId);
});

test('a backup of a stopped store, restored beside it', async () => {
  await stop();
  const second = path.join(folder, 'backups', 'second');
  expect(await runStoreProgram(['backup', second], settings)).toMatchObject({ code: 0, stderr: '' });
  const elsewhere = { ...settings, DATA_DIR: path.join(folder, 'elsewhere') };
  expect(await runStoreProgram(['restore', second], elsewhere)).toMatchObject({ code: 0, stderr: '' });
  expect(await runStoreProgram(['verify'], elsewhere)).toMatchObject({ code: 0, stderr: '' });
});

test('a backup of a store whose files are elsewhere names the images that it lacks', async () => {
  await stop();
  const files = path.join(settings.DATA_DIR, 'files');
  renameSync(files, `${files}-elsewhere`);
  const lacking = path.join(folder, 'backups', 'lacking');
  try {
    const made = await runStoreProgram(['backup', lacking], settings);
    expect(made).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/lacks the files of some images \(\d+\)/),
    });
  } finally {
    rmSync(files, { recursive: true, force: true });
    renameSync(`${files}-elsewhere`, files);
  }
  const complete = await runStoreProgram(
    ['backup', path.join(folder, 'backups', 'complete'), '--json'],
    settings,
  );
  expect(JSON.parse(complete.stdout)).toMatchObject({ missing_images: 0 });
});

test('a backup restored where SECRET_KEY is set: the key of the backup opens the store, then SECRET_KEY does', async () => {
  const elsewhere = {
    ...settings,
    DATA_DIR: path.join(folder, 'keyed'),
    SECRET_KEY: 'the key of this machine',
  };
  expect(await runStoreProgram(['restore', backup], elsewhere)).toMatchObject({ code: 0, stderr: '' });
  const restored = await startProgram(elsewhere);
  expect((await fetch(`${restored.url}/health/ready`)).status).toBe(200);
  restored.child.kill('SIGTERM');
  await restored.exited;
});

test('a running store is not replaced, nor a stopped one without --replace', async () => {
  expect(await runStoreProgram(['restore', backup, '--replace'], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^a store is running in \S+ \(process \d+\); stop it and retry\n$/),
  });
  await stop();
  expect(await runStoreProgram(['restore', backup], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\S+ has a store already; set another DATA_DIR, or use --replace/),
  });
  const replaced = await runStoreProgram(['restore', backup, '--replace', '--json'], settings);
  expect(replaced.code).toBe(0);
  const { replaced: old } = JSON.parse(replaced.stdout);
  expect(readdirSync(old).sort()).toEqual(['files', 'postgres', 'postgres.json', 'secret_key']);
  store = await startProgram(settings);
  expect((await read('/orders')).total_count).toBeGreaterThan(0);
});

test('a damaged, missing or incomplete backup is refused before anything is written', async () => {
  const empty = { ...settings, DATA_DIR: path.join(folder, 'empty') };
  const refusal = async (name: string) => {
    const { code, stderr } = await runStoreProgram(['restore', name], empty);
    expect(code).toBe(1);
    expect(existsSync(path.join(empty.DATA_DIR, 'postgres'))).toBe(false);
    return stderr;
  };
  expect(await refusal(path.join(folder, 'nowhere'))).toMatch(/is not a complete backup \(.*ENOENT\)/);

  const damaged = path.join(folder, 'backups', 'damaged');
  cpSync(backup, damaged, { recursive: true });
  const control = path.join(damaged, 'postgres', 'global', 'pg_control');
  const content = readFileSync(control);
  appendFileSync(control, 'x');
  expect(await refusal(damaged)).toMatch(/pg_control is damaged; use another backup\n$/);
  rmSync(control);
  expect(await refusal(damaged)).toMatch(/pg_control is missing; use another backup\n$/);
  appendFileSync(control, content);
  rmSync(path.join(damaged, 'backup.json'));
  expect(await refusal(damaged)).toMatch(/is not a complete backup/);
});

test('an existing folder is not overwritten', async () => {
  const { code, stderr } = await runStoreProgram(['backup', folder], settings);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `${folder} exists already; name a folder that does not exist\n`,
  });
  expect(existsSync(settings.DATA_DIR)).toBe(true);
});
