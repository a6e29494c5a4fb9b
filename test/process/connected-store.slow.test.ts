import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { simpleParser, type ParsedMail } from 'mailparser';
import { Webhook } from 'standardwebhooks';
import { createS3Bucket } from '../../src/platform/storage/s3-bucket';
import { runStoreProgram } from '../support/command-line';
import { copyDemoStore } from '../support/demo-store';
import { startMailServer, type MailServer } from '../support/mail-server';
import {
  expectFailedStart,
  killPrograms,
  startProgram,
  startWorkerProgram,
  type Program,
} from '../support/program';
import { startReceiver, type Receiver } from '../support/receiver';
import { startRelay, type Relay } from '../support/relay';
import { startS3Server, type S3Server } from '../support/s3-server';
import { startStripe, STRIPE_KEY, type StripeServer } from '../support/stripe-server';

/*
 * A store with everything around it: a worker of its own, a bucket, a mail server, a receiver of webhooks, and the
 * payment provider Stripe.
 */

const ROOT = path.resolve(__dirname, '../..');
const ADMIN_TOKEN = 'connected-admin-token';
const METRICS_TOKEN = 'connected-metrics-token';

/** How files begin. Not read by sharp, whose decoders the store disables for the whole process of the tests. */
const SIGNATURES = { jpeg: /^\xff\xd8\xff/, webp: /^RIFF.{4}WEBP/s, avif: /^.{4}ftypavif/s };

let folder: string;
let bucket: S3Server;
let mails: MailServer;
let receiver: Receiver;
let stripe: StripeServer;
/** In front of the store, at the address that does not change. */
let entrance: Relay;
let settings: Record<string, string>;
let store: Program;
let isOver = false;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-connected-')));
  bucket = await startS3Server();
  mails = await startMailServer();
  receiver = await startReceiver();
  stripe = await startStripe();
  entrance = await startRelay(() => Number(new URL(store.url).port));
  settings = {
    DATA_DIR: path.join(folder, 'data'),
    TMPDIR: folder,
    SEED: 'demo',
    ADMIN_TOKEN,
    METRICS_TOKEN,
    WORKER: 'off',
    STORAGE_URL: bucket.url,
    PUBLIC_URL: `http://127.0.0.1:${entrance.port}`,
    MAIL_URL: mails.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_OPTIONS: `--require ${require.resolve('../support/provider-hosts.cjs')}`,
    STRIPE_PORT: String(stripe.port),
  };
  await copyDemoStore(settings['DATA_DIR'] ?? '');
  const moved = await run(['files', 'move', 'bucket', '--delete']);
  expect(moved).toMatchObject({ to: 's3://files/shop', unchanged: 0, removed: moved.copied });
  store = await startProgram(settings);
  await startWorkerProgram(settings);
});

afterAll(async () => {
  isOver = true;
  killPrograms();
  receiver.close();
  await Promise.all([bucket.stop(), mails.stop(), stripe.close(), entrance.cut()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Waits until a condition is met, as long as the test may take. */
async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isMet()) && !isOver) await pause(100);
}

async function keysInBucket(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of createS3Bucket(bucket.address).list(prefix)) keys.push(key);
  return keys;
}

/** Returns the names of the files in a folder and those below it. */
function listFiles(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ name }) => name);
}

async function read(pathname: string, headers: Record<string, string> = {}) {
  const reply = await fetch(new URL(pathname, settings['PUBLIC_URL']), {
    headers: { 'X-Store-Token': ADMIN_TOKEN, ...headers },
  });
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    bytes: Buffer.from(await reply.arrayBuffer()),
  };
}

/** Sends a request of the administrator, and returns the JSON of the reply. */
async function call(method: string, pathname: string, body?: object | FormData): Promise<any> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${settings['PUBLIC_URL']}/api/v1${pathname}`, {
    method,
    headers: { 'X-Store-Token': ADMIN_TOKEN, ...(!isForm && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  expect([method, pathname, reply.ok]).toEqual([method, pathname, true]);
  return reply.json();
}

/** Runs a command of the store with its settings. */
async function run(argv: string[]): Promise<any> {
  const { code, stdout, stderr } = await runStoreProgram([...argv, '--json'], settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The tour of the client, which pays with a token of Stripe instead of a card number. Returns its output. */
async function runTour(): Promise<string[]> {
  const source = readFileSync(path.join(ROOT, 'docs/tour.mts'), 'utf8')
    .replace("'Credit Card'", "'Stripe'")
    .replace(/const card = \{.*?\};/s, "const card = { gateway_payment_profile_id: 'pm_visa_ann' };");
  const outfile = path.join(folder, 'tour.mjs');
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: ROOT },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    alias: { 'store-api-client': path.join(ROOT, 'client/src/index.ts') },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
    env: { PATH: process.env.PATH, STORE: settings['PUBLIC_URL'], ADMIN_TOKEN },
  });
  return stdout.trim().split('\n');
}

/** Returns the mails to Ann by their names, once `count` have arrived. */
async function receiveMails(count: number): Promise<Map<string, ParsedMail>> {
  const toAnn = () => mails.received.filter(({ to }) => to === 'ann@example.com');
  await until(() => toAnn().length >= count);
  const parsed = await Promise.all(toAnn().map(({ source }) => simpleParser(source)));
  return new Map(parsed.map((mail) => [/^<(\w+)\./.exec(mail.messageId ?? '')?.[1] ?? '', mail]));
}

test('the tour leads from a cart to a shipped, partly refunded order; everybody outside hears of it', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { secret } = await call('POST', '/webhooks', { webhook: { url: receiver.url, events: ['*'] } });
  await call('POST', '/payment_methods', {
    payment_method: {
      name: 'Stripe',
      gateway: 'stripe',
      auto_capture: false,
      preferences: { secret_key: STRIPE_KEY, publishable_key: 'pk_test_1', webhook_secret: 'whsec_tour' },
    },
  });
  for (const { id } of (await call('GET', '/shipping_methods')).shipping_methods)
    await call('PUT', `/shipping_methods/${id}`, {
      shipping_method: { tracking_url: 'https://carrier.example/:tracking' },
    });

  expect((await runTour()).slice(2)).toEqual([
    expect.stringMatching(/^complete \$\d+\.\d\d$/),
    'completed shipped',
    'received credit_owed paid',
  ]);
  const [{ number }] = (await call('GET', '/orders?q[email_eq]=ann@example.com')).orders;
  const order = await call('GET', `/orders/${number}`);
  expect(order).toMatchObject({ state: 'complete', shipment_state: 'shipped', payment_state: 'paid' });
  const [intent] = [...stripe.intents.values()];
  const [refund] = [...stripe.refunds.values()];
  expect(stripe.intents.size).toBe(1);
  expect(intent?.amount_received).toBe(Math.round(Number(order.payments[0].amount) * 100));
  expect(intent!.amount_received - refund.amount).toBe(Math.round(Number(order.total) * 100));

  const received = await receiveMails(4);
  expect([...received.keys()].sort()).toEqual(['order_confirmed', 'refunded', 'return_received', 'shipped']);
  expect(received.get('order_confirmed')?.text).toContain(number);
  const link = 'https://carrier.example/1Z-5500';
  expect(received.get('shipped')?.text).toContain(link);
  expect(received.get('shipped')?.html).toContain(`href="${link}"`);

  const happened = ['order.completed', 'payment.captured', 'shipment.shipped', 'return.received'];
  const heard = () => receiver.received.map(({ body }) => JSON.parse(body) as { id: number; type: string });
  const hasHeard = (type: string) => heard().some((event) => event.type === type);
  await until(() => [...happened, 'payment.refunded'].every(hasHeard));
  const [first] = heard();
  const { events } = await call('GET', `/events?per_page=100&after=${(first?.id ?? 0) - 1}`);
  const published: number[] = events.map(({ id }: { id: number }) => id);
  expect(published.length).toBeGreaterThan(10);
  await until(() => published.every((id) => heard().some((event) => event.id === id)));
  for (const { headers, body } of receiver.received)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow(); // signed headers are no lists

  const form = new FormData();
  const picture = new Blob([readFileSync(path.join(ROOT, 'docs/tote.png'))], { type: 'image/png' });
  form.set('image[attachment]', picture, 'tote.png');
  const image = await call('POST', '/products/stoneware-mug/images', form);
  expect(image.large_url).toContain(`${settings['PUBLIC_URL']}/`);
  expect(await read(image.large_url)).toMatchObject({ status: 200, type: 'image/png' });
  const { documents } = await call('GET', `/orders/${number}/documents`);
  expect(documents.map(({ kind }: any) => kind).sort()).toEqual(['credit_note', 'invoice']);
  for (const { url } of documents) {
    const pdf = await read(url);
    expect(pdf).toMatchObject({ status: 200, type: 'application/pdf' });
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  }

  expect((await read('/metrics')).status).toBe(401);
  // The server does none of this: WORKER is off. Figures are a few seconds old.
  const ofWorker = ['publish events', 'deliver webhooks', 'send_mails?', 'settle interrupted payments'].map(
    (job) => new RegExp(`\nstore_job_runs_total\\{job="${job}",outcome="success"\\} [1-9]`),
  );
  let metrics = '';
  await until(async () => {
    const { bytes } = await read('/metrics', { Authorization: `Bearer ${METRICS_TOKEN}` });
    metrics = bytes.toString();
    return ofWorker.every((figure) => figure.test(metrics));
  });
  expect(metrics).toContain('\nstore_queue_workers 1\n');

  const days = ['--from', today, '--to', new Date().toISOString().slice(0, 10)];
  expect((await run(['reconcile', ...days])).methods).toContainEqual(
    expect.objectContaining({ gateway: 'stripe', movements: 2, differences: [] }),
  );
  expect(await run(['verify'])).toMatchObject({ breaches: [] });
  const { findings } = await run(['doctor']);
  const messages = findings.map(({ message }: { message: string }) => message);
  expect(messages).toEqual(
    expect.arrayContaining([
      'files are in s3://files/shop, which can be written, listed, read and deleted',
      `${new URL(mails.url).host} accepts mails`,
      'processes that work in the background: 1',
      `${settings['PUBLIC_URL']} leads to a store`,
      'GET /metrics requires METRICS_TOKEN',
    ]),
  );
  expect(findings.filter(({ severity }: { severity: string }) => severity === 'problem')).toEqual([]);
});

test('the files are in a bucket, which is backed up and moved to the disk', async () => {
  const inBucket = settings;
  const restart = async (env: Record<string, string>) => {
    store.child.kill('SIGTERM');
    expect(await store.exited).toBe(0);
    settings = env;
    store = await startProgram(env);
  };

  const { products } = await call('GET', '/products?per_page=50&q[s]=id asc');
  const { image } = products.flatMap((one: any) => one.master.images.map((image: any) => ({ image })))[0];
  const urls = ['mini', 'small', 'product', 'large', 'xlarge'].map((size) => image[`${size}_url`]);
  // AVIF takes long to draw.
  for (const url of urls)
    for (const format of url === urls[0] ? (['jpeg', 'webp', 'avif'] as const) : (['jpeg'] as const)) {
      const { status, type, bytes } = await read(url, { Accept: `image/${format}` });
      expect([url, status]).toEqual([url, 200]);
      expect(type).toBe(`image/${format}`);
      expect(bytes.subarray(0, 12).toString('latin1')).toMatch(SIGNATURES[format]);
    }
  const stored = (await keysInBucket('documents')).length;
  const { documents } = await call('GET', '/documents?q[s]=id asc');
  const pdf = await read(documents[0].url);
  expect(pdf).toMatchObject({ status: 200, type: 'application/pdf' });
  expect((await keysInBucket('images')).filter((key) => /\.(webp|avif)$/.test(key))).toHaveLength(2);
  expect(await keysInBucket('documents')).toHaveLength(stored + 1);
  expect(listFiles(path.join(settings['DATA_DIR'] ?? '', 'files'))).toEqual([]);

  const [without, including] = ['without', 'including'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]; // two names
  expect(await run(['backup', without])).toMatchObject({ bucket: 's3://files/shop' });
  expect(readdirSync(without)).not.toContain('files');
  const total = (await keysInBucket('')).length;
  await run(['backup', including, '--files']);
  expect(listFiles(path.join(including, 'files'))).toHaveLength(total);

  // To the disk, beside the running store.
  expect(await run(['files', 'move', 'disk'])).toMatchObject({ copied: total, unchanged: 0, removed: 0 });
  await restart({ ...inBucket, STORAGE_URL: '' });
  expect((await read(urls[0])).status).toBe(200);
  settings = inBucket;
  expect(await run(['files', 'move', 'disk', '--delete'])).toMatchObject({
    copied: 0,
    unchanged: total,
    removed: total,
  });
  expect(await keysInBucket('')).toEqual([]);
});

test('a missing bucket stops the start with one line, without credentials', async () => {
  const url = bucket.url.replace('@files/', '@nowhere/');
  const env = { DATA_DIR: path.join(folder, 'refused'), SEED: 'none', STORAGE_URL: url };
  const { code, stderr } = await expectFailedStart(env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'the bucket of s3://nowhere/shop does not exist; create it, or correct STORAGE_URL\n',
  });
});
