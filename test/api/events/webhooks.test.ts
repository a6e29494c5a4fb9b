import { Webhook } from 'standardwebhooks';
import { publishEvents } from '../../../src/events/publish-events';
import { deliverDue, startWebhooks } from '../../../src/events/webhooks/deliver-webhooks';
import { MOST_CHANGED } from '../../../src/events/webhooks/webhook-deliveries.repository';
import { recordJobRuns } from '../../../src/platform/job-runs';
import { aClerk, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';
import { waitUntilBlockedBy, waitUntilWaiting } from '../../support/locks';
import { explainQueries, setEmptyStatistics } from '../../support/queries';
import { startReceiver, type Received, type Receiver } from '../../support/receiver';

let now = new Date();
const local = makeTestApp({ allowsPrivateWebhooks: true, now: () => now });
const receivers: Receiver[] = [];

afterEach(async () => {
  now = new Date();
  for (const receiver of receivers.splice(0)) receiver.close();
  await testDb()('webhooks').delete();
});

async function aReceiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

async function asAdmin() {
  return api(await anAdmin(), local);
}

async function aWebhook(
  url: string,
  events: string[] = ['product.created', 'product.updated'],
): Promise<any> {
  const { status, body } = await (await asAdmin()).post('/webhooks', { webhook: { url, events } });
  expect(status).toBe(201);
  return body;
}

async function deliver(): Promise<void> {
  await publishEvents(local.deps);
  await deliverDue(local.deps);
}

const wait = (ms: number) => (now = new Date(now.getTime() + ms));

/** Waits for a condition, for at most 15 seconds. */
async function waitUntil(isMet: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; !isMet() && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isMet()).toBe(true);
}

async function listDeliveries(id: number): Promise<any[]> {
  return (await (await asAdmin()).get(`/webhooks/${id}/deliveries`)).body.deliveries;
}

test('an event is sent once, signed as Standard Webhooks verifies, as GET /events shows it', async () => {
  const receiver = await aReceiver();
  const webhook = await aWebhook(receiver.url);
  const product = await aProduct();
  await deliver();
  await deliver();
  expect(receiver.received).toHaveLength(1);
  const { headers, body }: Pick<Received, 'headers' | 'body'> = receiver.received[0] ?? {
    headers: {},
    body: '',
  };
  const event: any = new Webhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(event).toMatchObject({ type: 'product.created', subject: { type: 'product', id: product.id } });
  const { body: shown } = await (await asAdmin()).get(`/events?after=${event.id - 1}&per_page=1`);
  expect(shown.events).toEqual([event]);
  expect(headers['webhook-id']).toBe(`evt_${event.id}`);
  expect(() => new Webhook(webhook.secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  expect(await listDeliveries(webhook.id)).toMatchObject([
    {
      event_id: event.id,
      event_type: 'product.created',
      status: 'delivered',
      attempts: 1,
      code: 204,
      next_attempt_at: null,
    },
  ]);
  expect(await testDb()('webhooks').first('secret')).not.toEqual({ secret: Buffer.from(webhook.secret) });
});

test('what happened before a webhook was created or resumed is not sent, published or not', async () => {
  const receiver = await aReceiver();
  await aProduct();
  const webhook = await aWebhook(receiver.url, ['product.created']);
  const first = await aProduct();
  await deliver();
  const change = async (active: boolean) =>
    (await asAdmin()).put(`/webhooks/${webhook.id}`, { webhook: { active } });
  expect((await change(false)).status).toBe(200);
  await aProduct();
  expect((await change(true)).status).toBe(200);
  const last = await aProduct();
  await deliver();
  const sent = receiver.received.map(({ body }) => JSON.parse(String(body)).subject.id);
  expect(sent).toEqual([first.id, last.id]);
});

test('a failed delivery is repeated with the same id, and later events of its subject wait for it', async () => {
  const receiver = await aReceiver(
    (reply, number) => void reply.writeHead(number < 2 ? 500 : 200).end('x'.repeat(5_000)),
  );
  const webhook = await aWebhook(receiver.url);
  const [product, other] = [await aProduct(), await aProduct()];
  await (await asAdmin()).put(`/products/${product.id}`, { product: { name: 'Later' } });
  await testDb()('webhook_deliveries').delete();
  await publishEvents(local.deps);
  await testDb()('webhook_deliveries').where('subject', `product ${other.id}`).delete();
  await deliverDue(local.deps);
  const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
  expect(types()).toEqual(['product.created']);
  const [second, first] = await listDeliveries(webhook.id);
  expect(second).toMatchObject({ status: 'pending', attempts: 0 });
  expect(first).toMatchObject({ status: 'pending', attempts: 1, code: 500, response: 'x'.repeat(1_024) });
  expect(Date.parse(first.next_attempt_at) - now.getTime()).toBe(5_000);
  wait(5_000);
  await deliverDue(local.deps);
  wait(30_000);
  await deliverDue(local.deps);
  expect(types()).toEqual(['product.created', 'product.created', 'product.created', 'product.updated']);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
});

test('what waits for a failed delivery is due with it, and follows at once when that is sent again', async () => {
  let code = 500;
  const receiver = await aReceiver((reply) => void reply.writeHead(code).end());
  const webhook = await aWebhook(receiver.url, ['product.updated']);
  const product = await aProduct();
  const change = async (name: string) => {
    await (await asAdmin()).put(`/products/${product.id}`, { product: { name } });
    await deliver();
  };
  await change('First');
  await change('Second');
  wait(5_000);
  await deliverDue(local.deps);
  await change('Third');
  const deliveries = await listDeliveries(webhook.id);
  expect(deliveries.map(({ attempts }) => attempts)).toEqual([0, 0, 2]);
  const due = deliveries.map(({ next_attempt_at }) => Date.parse(next_attempt_at) - now.getTime());
  expect(due).toEqual([30_000, 30_000, 30_000]);
  code = 204;
  await (await asAdmin()).put(`/webhooks/${webhook.id}/deliveries/${deliveries[2].id}/redeliver`);
  expect(await deliverDue(local.deps)).toBe(3);
  const ids = receiver.received.map(({ headers }) => Number(String(headers['webhook-id']).slice(4)));
  expect(ids.slice(2)).toEqual(ids.slice(2).toSorted((one, other) => one - other));
});

test('a test does not wait for an earlier one that has failed', async () => {
  let code = 500;
  const receiver = await aReceiver((reply) => void reply.writeHead(code).end());
  const webhook = await aWebhook(receiver.url);
  const admin = await asAdmin();
  await admin.post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  code = 204;
  await admin.post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  const statuses = (await listDeliveries(webhook.id)).map(({ status }) => status);
  expect(statuses).toEqual(['delivered', 'pending']);
});

test('a delivery that fails for three days pauses the webhook, which says why and can be resumed', async () => {
  const receiver = await aReceiver((reply) => void reply.writeHead(503).end());
  const webhook = await aWebhook(receiver.url);
  await aProduct();
  await deliver();
  let attempts = 1;
  for (; attempts < 100 && (await listDeliveries(webhook.id))[0].status === 'pending'; attempts++) {
    wait(8 * 3_600_000);
    await deliverDue(local.deps);
  }
  const admin = await asAdmin();
  expect((await admin.get(`/webhooks/${webhook.id}`)).body).toMatchObject({
    active: false,
    paused_reason: 'An event was not confirmed within three days: status 503',
  });
  const [delivery] = await listDeliveries(webhook.id);
  expect(delivery).toMatchObject({ status: 'failed', attempts: receiver.received.length });
  await aProduct();
  await deliver();
  expect(await listDeliveries(webhook.id)).toHaveLength(1);
  const resumed = await admin.put(`/webhooks/${webhook.id}`, { webhook: { active: true } });
  expect(resumed.body).toMatchObject({ active: true, paused_reason: null });
  const again = await admin.put(`/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`);
  expect(again.body).toMatchObject({ status: 'pending', attempts: 0 });
  await deliverDue(local.deps);
  expect(await listDeliveries(webhook.id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
});

test('a webhook that is resumed after a week sends at once what waits, for another three days', async () => {
  let code = 410;
  const receiver = await aReceiver((reply) => void reply.writeHead(code).end());
  const webhook = await aWebhook(receiver.url);
  await aProduct();
  await deliver();
  expect((await (await asAdmin()).get(`/webhooks/${webhook.id}`)).body).toMatchObject({
    active: false,
    paused_reason: 'The receiver replied 410 Gone.',
  });
  wait(7 * 24 * 3_600_000);
  const resume = async () => (await asAdmin()).put(`/webhooks/${webhook.id}`, { webhook: { active: true } });
  await resume();
  code = 500;
  await deliverDue(local.deps);
  expect(receiver.received).toHaveLength(2);
  expect(await listDeliveries(webhook.id)).toMatchObject([{ status: 'pending', attempts: 1, code: 500 }]);
  // An active webhook is not resumed: its pauses continue.
  await resume();
  expect(await deliverDue(local.deps)).toBe(0);
});

test('a webhook is resumed in steps, so that it can be resumed however many deliveries wait', async () => {
  const webhook = await aWebhook('http://127.0.0.1:9/');
  const admin = await asAdmin();
  const change = async (active: boolean) => admin.put(`/webhooks/${webhook.id}`, { webhook: { active } });
  await change(false);
  await testDb().raw(
    `INSERT INTO webhook_deliveries (webhook_id, event_id, event_type, subject, attempts, first_attempt_at, next_attempt_at)
     SELECT ?, 9000000 + n, 'product.updated', 'product ' || n, 9, now() - interval '3 days', now() + interval '8 hours'
       FROM generate_series(1, ?) n`,
    [webhook.id, MOST_CHANGED + 1],
  );
  await setEmptyStatistics('webhook_deliveries');
  const plans = await explainQueries('UPDATE webhook_deliveries', () => change(true));
  // Two of them before the transaction that activates it.
  expect(plans).toHaveLength(3);
  // Nothing is read once for each delivery.
  expect(plans.filter((plan) => plan.includes('Nested Loop'))).toEqual([]);
  const { rows } = await testDb().raw(
    `SELECT DISTINCT attempts, first_attempt_at, next_attempt_at = 'epoch' AS is_due FROM webhook_deliveries`,
  );
  expect(rows).toEqual([{ attempts: 0, first_attempt_at: null, is_due: true }]);
});

test.each([
  ['120', 429, 120_000],
  ['a date', 503, 600_000],
  ['1', 429, 5_000],
  ['999999999', 503, 8 * 3_600_000],
  ['soon', 429, 5_000],
  ['120', 500, 5_000],
])(
  'a receiver that asks to wait by Retry-After %s with %i is sent nothing earlier',
  async (header, code, ms) => {
    now = new Date(Math.ceil(Date.now() / 1_000) * 1_000);
    const inTenMinutes = new Date(now.getTime() + 600_000).toUTCString();
    const headers = { 'retry-after': header === 'a date' ? inTenMinutes : header };
    const receiver = await aReceiver((reply) => void reply.writeHead(code, headers).end());
    const webhook = await aWebhook(receiver.url);
    await (await asAdmin()).post(`/webhooks/${webhook.id}/test`);
    await deliverDue(local.deps);
    const [delivery] = await listDeliveries(webhook.id);
    expect(Date.parse(delivery.next_attempt_at) - now.getTime()).toBe(ms);
  },
);

test('after a rotation both secrets sign for a day', async () => {
  const receiver = await aReceiver();
  const webhook = await aWebhook(receiver.url);
  const { body: rotated } = await (await asAdmin()).put(`/webhooks/${webhook.id}/rotate_secret`);
  expect(rotated.secret).not.toBe(webhook.secret);
  const verify = (secret: string) => {
    const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} };
    return () => new Webhook(secret).verify(body, headers as Record<string, string>);
  };
  await (await asAdmin()).post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  expect(verify(webhook.secret)()).toMatchObject({ type: 'webhook.test' });
  expect(verify(rotated.secret)()).toMatchObject({ type: 'webhook.test' });
  await testDb()('webhooks').update({ previous_secret_until: new Date(now.getTime() - 1) });
  await (await asAdmin()).post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  expect(verify(webhook.secret)).toThrow();
  expect(verify(rotated.secret)()).toMatchObject({ type: 'webhook.test' });
});

test('two rotations at once: the one that comes last keeps the secret of the other', async () => {
  const receiver = await aReceiver();
  const webhook = await aWebhook(receiver.url);
  const admin = await asAdmin();
  const rotate = () => admin.put(`/webhooks/${webhook.id}/rotate_secret`);
  const rotating = await testDb().transaction(async (tx) => {
    await tx('webhooks').where({ id: webhook.id }).forUpdate().first();
    const both = [rotate(), rotate()].map((one) => one.then((reply) => reply));
    await waitUntilWaiting(2);
    return { both };
  });
  const secrets = (await Promise.all(rotating.both)).map(({ body }) => body.secret);
  await admin.post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  const { body, headers } = receiver.received[0] ?? { body: '', headers: {} };
  for (const secret of secrets)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook.test',
    });
});

test('a webhook that is deleted while events are published stops none of them', async () => {
  const webhook = await aWebhook('http://127.0.0.1:9/');
  const product = await aProduct();
  const publishing = await testDb().transaction(async (tx) => {
    await tx('webhooks').where({ id: webhook.id }).delete();
    const published = publishEvents(local.deps);
    await waitUntilBlockedBy(tx);
    return { published };
  });
  await publishing.published;
  expect(await testDb()('events').where({ subject_type: 'product', subject_id: product.id })).toHaveLength(1);
});

test('an address that is gone does not pause a webhook that has another one by now', async () => {
  const receiver = await aReceiver((reply) => {
    void testDb()('webhooks')
      .update({ url: 'http://127.0.0.1:9/' })
      .then(() => reply.writeHead(410).end());
  });
  const webhook = await aWebhook(receiver.url);
  await (await asAdmin()).post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  expect((await (await asAdmin()).get(`/webhooks/${webhook.id}`)).body).toMatchObject({ active: true });
});

test('a receiver that does not answer holds up no other', async () => {
  const slow = await aReceiver(() => undefined);
  const quick = await aReceiver();
  const hanging = await aWebhook(slow.url);
  await aWebhook(quick.url);
  await aProduct();
  await publishEvents(local.deps);
  const job = startWebhooks(local.deps, () => true);
  const until = async (count: number) => {
    for (const end = Date.now() + 15_000; quick.received.length < count && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(quick.received).toHaveLength(count);
  };
  await until(1);
  await aProduct();
  await publishEvents(local.deps);
  await until(2);
  expect(slow.received.length).toBeGreaterThan(0);
  slow.close();
  await job.stop();
  expect((await listDeliveries(hanging.id)).at(-1)).toMatchObject({
    code: null,
    response: expect.any(String),
  });
});

test('a redelivery during an attempt is that attempt', async () => {
  let answer = (): void => undefined;
  const receiver = await aReceiver((reply) => {
    answer = () => void reply.writeHead(204).end();
  });
  const webhook = await aWebhook(receiver.url);
  await aProduct();
  await publishEvents(local.deps);
  const delivering = deliverDue(local.deps);
  await waitUntil(() => receiver.received.length === 1);
  const [{ id, attempts, created_at, next_attempt_at }] = await listDeliveries(webhook.id);
  expect([attempts, next_attempt_at]).toEqual([1, created_at]);
  const path = `/webhooks/${webhook.id}/deliveries/${id}/redeliver`;
  expect(await (await asAdmin()).put(path)).toMatchObject({ status: 200, body: { status: 'pending' } });
  expect(await deliverDue(local.deps)).toBe(0);
  answer();
  await delivering;
  expect(receiver.received).toHaveLength(1);
  expect(await listDeliveries(webhook.id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  // Afterwards it is sent again.
  await (await asAdmin()).put(path);
  const again = deliverDue(local.deps);
  await waitUntil(() => receiver.received.length === 2);
  answer();
  expect(await again).toBe(1);
});

test('a test of a webhook that is inactive or being deleted is refused at once', async () => {
  const webhook = await aWebhook('http://127.0.0.1:9/');
  const admin = await asAdmin();
  await admin.put(`/webhooks/${webhook.id}`, { webhook: { active: false } });
  const inactive = await admin.post(`/webhooks/${webhook.id}/test`);
  expect([inactive.status, inactive.body.errors]).toEqual([422, { active: ['must be true to send a test'] }]);
  const deleting = await testDb().transaction();
  await deleting('webhooks').where({ id: webhook.id }).delete();
  const testing = admin.post(`/webhooks/${webhook.id}/test`).then(({ status }: any) => status);
  await waitUntilBlockedBy(deleting);
  await deleting.commit();
  expect(await testing).toBe(404);
});

test('many events are sent without pauses between them', async () => {
  const receiver = await aReceiver();
  await aWebhook(receiver.url, ['customer.updated']);
  await testDb().raw(
    `INSERT INTO event_notes (kind, subject_id, types) SELECT 'customer', 900000 + n, '["customer.updated"]' FROM generate_series(1, 80) n`,
  );
  await publishEvents(local.deps);
  const runs = () => testDb()('job_runs').where({ job: 'deliver webhooks' }).first('succeeded');
  await recordJobRuns(testDb());
  const before = Number((await runs())?.succeeded ?? 0);
  const job = startWebhooks(local.deps, () => true);
  await waitUntil(() => receiver.received.length === 80);
  await job.stop();
  await recordJobRuns(testDb());
  // Each run of the job follows a pause of a second. It used to end with each eight deliveries.
  expect(Number((await runs())?.succeeded) - before).toBeLessThan(5);
});

test('two processes send each delivery once, and that of a killed one is sent again', async () => {
  const receiver = await aReceiver();
  await aWebhook(receiver.url, ['product.created']);
  for (let count = 0; count < 12; count += 1) await aProduct();
  await publishEvents(local.deps);
  await Promise.all([deliverDue(local.deps), deliverDue(local.deps)]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(12);
  expect(ids).toHaveLength(12);
  await testDb()('webhook_deliveries')
    .where({ id: testDb()('webhook_deliveries').min('id') })
    .update({ status: 'pending', claimed_until: new Date(now.getTime() + 20_000) });
  await deliverDue(local.deps);
  expect(receiver.received).toHaveLength(12);
  wait(20_001);
  await deliverDue(local.deps);
  expect(receiver.received).toHaveLength(13);
});

const PRIVATE = [
  ...[
    'http://127.0.0.1/',
    'http://localhost:3000/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
  ],
  ...[
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
  ],
  ...[
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
  ],
  ...['http://[fc00::1]/', 'http://[::ffff:7f00:1]/', 'http://[64:ff9b::7f00:1]/', 'http://255.255.255.255/'],
];

test('addresses in private networks are refused at creation and change, in every form', async () => {
  const admin = api(await anAdmin());
  for (const url of [
    ...PRIVATE,
    'ftp://example.com/',
    'http://user:secret@example.com/',
    'example.com',
    '',
  ]) {
    const { status, body } = await admin.post('/webhooks', { webhook: { url, events: ['*'] } });
    expect([url, status, Object.keys(body.errors ?? {})]).toEqual([url, 422, ['url']]);
  }
  const named = { url: 'https://does-not-resolve.invalid/hook', events: ['*'] };
  const { status, body } = await admin.post('/webhooks', { webhook: named });
  expect(status).toBe(201);
  const refused = await admin.put(`/webhooks/${body.id}`, { webhook: { url: 'http://127.1/' } });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { url: ['is in a private network, which only a store with WEBHOOK_ALLOW_PRIVATE=true may reach'] },
  ]);
});

test('a webhook has at least one type of event', async () => {
  const admin = api(await anAdmin());
  const url = 'https://does-not-resolve.invalid/hook';
  for (const events of [[], '', ' ,'])
    expect((await admin.post('/webhooks', { webhook: { url, events } })).body.errors).toEqual({
      events: ["can't be blank"],
    });
  const { body } = await admin.post('/webhooks', { webhook: { url, events: ['stock.low'] } });
  const { status } = await admin.put(`/webhooks/${body.id}`, { webhook: { events: [] } });
  const kept = (await admin.get(`/webhooks/${body.id}`)).body;
  expect([status, kept.events]).toEqual([422, ['stock.low']]);
});

test('addresses in private networks are refused at the connection, also behind a name and a redirect', async () => {
  const receiver = await aReceiver();
  const { port } = new URL(receiver.url);
  const strict = { ...testApp().deps, now: () => now };
  for (const url of [receiver.url, `http://localhost:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`]) {
    const webhook = await aWebhook(url);
    await (await asAdmin()).post(`/webhooks/${webhook.id}/test`);
    await deliverDue(strict);
    expect(await listDeliveries(webhook.id)).toMatchObject([
      { status: 'pending', code: null, response: expect.stringContaining('private network') },
    ]);
    await testDb()('webhooks').delete();
  }
  expect(receiver.received).toEqual([]);
  const redirecting = await aReceiver((reply) => void reply.writeHead(302, { location: receiver.url }).end());
  const webhook = await aWebhook(redirecting.url);
  await (await asAdmin()).post(`/webhooks/${webhook.id}/test`);
  await deliverDue(local.deps);
  expect(await listDeliveries(webhook.id)).toMatchObject([{ status: 'pending', code: 302 }]);
  expect(receiver.received).toEqual([]);
});

test('a webhook is created, changed and deleted by staff with events:write only, and audited without its secret', async () => {
  const values = {
    webhook: { url: 'https://does-not-resolve.invalid/hook', events: ['order.paid'], description: 'ERP' },
  };
  expect((await api().post('/webhooks', values)).status).toBe(401);
  expect((await api(await aClerk(['events:read'])).post('/webhooks', values)).status).toBe(401);
  const clerk = api(await aClerk(['events:write']));
  const { body: made } = await clerk.post('/webhooks', values);
  expect(made).toMatchObject({ ...values.webhook, active: true, secret: expect.stringMatching(/^whsec_/) });
  expect((await clerk.get(`/webhooks/${made.id}`)).body).not.toHaveProperty('secret');
  expect((await clerk.get('/webhooks')).body.webhooks).toMatchObject([{ id: made.id }]);
  const changed = await clerk.put(`/webhooks/${made.id}`, { webhook: { events: ['*'], active: false } });
  expect(changed.body).toMatchObject({ events: ['*'], active: false, description: 'ERP' });
  expect((await clerk.put(`/webhooks/${made.id}`, { webhook: { events: ['order.sold'] } })).status).toBe(422);
  expect((await clerk.delete(`/webhooks/${made.id}`)).status).toBe(204);
  for (const [method, path] of [
    ['get', ''],
    ['put', ''],
    ['get', '/deliveries'],
    ['post', '/test'],
    ['put', '/rotate_secret'],
    ['put', '/deliveries/1/redeliver'],
  ] as const)
    expect([path, (await clerk[method](`/webhooks/${made.id}${path}`)).status]).toEqual([path, 404]);
  const audit = await (await asAdmin()).get('/audit_log?q[subject_type_eq]=Store::Webhook&per_page=3');
  expect(audit.body.audit_log[0]).toMatchObject({ action: 'delete', changes: { secret: ['***', null] } });
});
