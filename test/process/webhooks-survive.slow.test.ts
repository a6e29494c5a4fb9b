import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadStoreSecret } from '../../src/boot/store-secret';
import { publishEvents } from '../../src/events/publish-events';
import { anAdmin } from '../support/accounts.factory';
import { api, makeTestApp, testApp } from '../support/api';
import { ensureTestDatabase, testDb } from '../support/database';
import { aProduct } from '../support/products.factory';
import { killPrograms, startWorkerProgram } from '../support/program';
import { startReceiver, type Received } from '../support/receiver';

const SUBJECTS = 20;
/** `WEBHOOK_EVENTS=10000` is the long form. A multiple of the number of subjects. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 120);
const SECRET_KEY = 'a key of this test only';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-webhooks-'));
});

afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Lets the claims of a killed process end. */
async function passTime(): Promise<void> {
  await testDb()('webhook_deliveries')
    .where({ status: 'pending' })
    .whereNotNull('claimed_until')
    .update({ claimed_until: new Date(0) });
}

/** Lets the pauses after failed attempts end, which would take hours. */
async function passPauses(): Promise<void> {
  await testDb()('webhook_deliveries')
    .where({ status: 'pending', claimed_until: null })
    .where('next_attempt_at', '>', new Date())
    .update({ next_attempt_at: new Date(0) });
}

test(
  'a receiver that fails every third request gets each event, in the order of its subject, over two kills',
  async () => {
    const delivered: Received[] = [];
    const receiver = await startReceiver((reply, number, request) => {
      if (number % 3 !== 2) delivered.push(request);
      reply.writeHead(number % 3 === 2 ? 500 : 204).end();
    });
    const settings = { DATABASE_URL: await ensureTestDatabase(), DATA_DIR: folder, SECRET_KEY };
    const secret = await loadStoreSecret(
      { secretKey: SECRET_KEY, secretKeyPrevious: null, dataDir: folder, isReadOnly: false },
      testDb(),
    );
    const ids: number[] = [];
    while (ids.length < SUBJECTS) ids.push((await aProduct()).id);
    await publishEvents(testApp().deps);
    const admin = api(await anAdmin(), makeTestApp({ secret, allowsPrivateWebhooks: true }));
    const webhook = { url: receiver.url, events: ['product.updated'] };
    expect((await admin.post('/webhooks', { webhook })).status).toBe(201);
    for (let round = 0; round < EVENTS / SUBJECTS; round += 1)
      await testDb().raw(
        `INSERT INTO event_notes (kind, subject_id, types) SELECT 'product', unnest(?::integer[]), '["product.updated"]'`,
        [ids],
      );

    const start = () => startWorkerProgram({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true' });
    let worker = await start();
    const readIds = () => delivered.map(({ headers }) => String(headers['webhook-id']));
    const until = async (count: number): Promise<void> => {
      while (new Set(readIds()).size < count) {
        await passPauses();
        await delay(50);
      }
    };
    for (const part of [1 / 3, 2 / 3]) {
      await until(Math.floor(EVENTS * part));
      worker.child.kill('SIGKILL');
      await worker.exited;
      await passTime();
      worker = await start();
    }
    await until(EVENTS);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    receiver.close();

    const events = await testDb()('events').where({ type: 'product.updated' }).orderBy('id');
    expect(events).toHaveLength(EVENTS);
    const first = new Map<string, string[]>();
    for (const id of new Set(readIds())) {
      const event = events.find((one) => `evt_${one.id}` === id);
      const subject = String(event?.subject_id);
      first.set(subject, [...(first.get(subject) ?? []), id]);
    }
    for (const subject of ids)
      expect(first.get(String(subject))).toEqual(
        events.filter(({ subject_id }) => subject_id === subject).map(({ id }) => `evt_${id}`),
      );
    expect(await testDb()('webhook_deliveries').whereNot({ status: 'delivered' })).toEqual([]);
  },
  180_000 + EVENTS * 100,
);
