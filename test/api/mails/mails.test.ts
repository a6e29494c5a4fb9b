import { Socket } from 'node:net';
import { Parser } from 'liquidjs';
import type { ParsedMail } from 'mailparser';
import { DEMO_ORDERS } from '../../../seeds/demo/orders';
import { planStories } from '../../../seeds/demo/orders/stories';
import { mailEvents } from '../../../src/mails/mail-events';
import { deleteOldUndeliveredMails } from '../../../src/mails/undelivered-mails.service';
import { publishEvents } from '../../../src/events/publish-events';
import { MAIL_NAMES } from '../../../src/mails/mail-names';
import { sendMails } from '../../../src/mails/send-mail';
import { findMailStore } from '../../../src/mails/mail-store';
import { buildStoreView } from '../../../src/mails/mail-view';
import { MAIL_LABELS } from '../../../src/mails/mail-labels';
import { withTransaction } from '../../../src/platform/database/transaction';
import { createMailer } from '../../../src/platform/mail/mailer';
import { checkSmtp, createSmtp } from '../../../src/platform/mail/smtp';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { parseMailsTo, TEST_SECRET } from '../../support/mail';
import { orderInState } from '../../support/orders.factory';
import { listQueries } from '../../support/queries';
import { runJobs } from '../../support/run-jobs';
import { aShippedOrder, withStoreSetting } from '../../support/shipments.factory';
import { buildSmtpError, startMailServer } from '../../support/smtp-server';
import { unique } from '../../support/unique';

let lastEvent = 0;

/** Publishes an event as it is published for an order, and runs the jobs that follow. */
async function publish(
  type: string,
  order: { id: number; email: string },
  { subject_id = order.id, created_at = new Date(), id = (lastEvent += 1) } = {},
): Promise<ParsedMail[]> {
  await note(type, order, { subject_id, created_at, id });
  return parseMailsTo(order.email);
}

const note = (
  type: string,
  order: { id: number },
  event: { id: number; subject_id: number; created_at: Date },
) =>
  withTransaction({ db: testDb() }, (tx) => {
    mailEvents(tx, [{ ...event, type, order_id: order.id }]);
    return Promise.resolve();
  });

const DAY_MS = 24 * 3_600_000;

/** Publishes the completions of orders at once. @returns the ids of the events */
async function noteCompletions(orders: readonly { id: number }[]): Promise<number[]> {
  const events = orders.map(({ id }) => ({
    id: (lastEvent += 1),
    type: 'order.completed',
    created_at: new Date(),
    subject_id: id,
    order_id: id,
  }));
  await withTransaction({ db: testDb() }, (tx) => Promise.resolve(mailEvents(tx, events)));
  return events.map(({ id }) => id);
}

const anAddress = () => `${unique('buyer')}@example.com`;
const aCompleteOrder = () => orderInState('complete', { email: anAddress() });

describe('mails about orders', () => {
  test('the confirmation has lines, totals, address and the link of the order, as text and HTML', async () => {
    const order = await aCompleteOrder();
    const [mail, ...more] = await publish('order.completed', order);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Your order ${order.number} at Example Store`);
    expect(mail?.from?.value).toEqual([{ name: 'Example Store', address: 'store@example.com' }]);
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    for (const text of [mail?.text, String(mail?.html)]) {
      for (const line of order.line_items) expect(text).toContain(line.variant.name);
      expect(text).toContain(order.display_total);
      expect(text).toContain(order.ship_address.address1);
      expect(text).toContain(`/orders/${order.number}?order_token=${order.token}`);
    }
    expect(mail?.attachments).toEqual([]);
  });

  test('the shipped mail has the tracking link of the parcel', async () => {
    const shipped = await aShippedOrder({ email: anAddress() });
    const order = (await api(await anAdmin()).get(`/orders/${shipped.number}`)).body;
    const { id } = order.shipments[0];
    const url = 'https://carrier.example/track?id=A&x=1';
    await testDb()('shipments').where({ id }).update({ tracking: 'A-1', tracking_url: url });
    const [mail] = await publish('shipment.shipped', order, { subject_id: id });
    expect(mail?.subject).toBe(`Your order ${order.number} is on its way`);
    expect(mail?.text).toContain(`Track the parcel: ${url}`);
    expect(mail?.html).toContain('href="https://carrier.example/track?id=A&amp;x=1"');
    expect(mail?.text).toContain('Tracking number: A-1');
  });

  test('the shipped mail lists units that were returned before it was sent', async () => {
    const shipped = await aShippedOrder({ email: anAddress() });
    const order = (await api(await anAdmin()).get(`/orders/${shipped.number}`)).body;
    const [shipment] = order.shipments;
    await testDb()('inventory_units').where({ shipment_id: shipment.id }).update({ state: 'returned' });
    const [mail] = await publish('shipment.shipped', order, { subject_id: shipment.id });
    for (const line of order.line_items) expect(mail?.text).toContain(line.variant.name);
  });

  test('nothing is sent about orders of erased customers', async () => {
    const [ann, admin] = [await aCustomer(), api(await anAdmin())];
    const { id, number } = await orderInState('complete', { caller: ann, email: ann.email });
    expect((await admin.put(`/users/${ann.id}/erase`, { force: true })).status).toBe(200);
    const { email } = (await admin.get(`/orders/${number}`)).body;
    expect(email).toBe(`erased-${ann.id}@erased.invalid`);
    expect(await publish('order.completed', { id, email })).toEqual([]);
  });

  test('the confirmation names discounts, then refunded taxes, in the language of the store', async () => {
    const order = await aCompleteOrder();
    const labels = ['消費税8% 8.0%', 'USt. 19.0%'].map((name) => `Refund ${name} (Included in Price)`);
    await testDb()('adjustments').insert([
      ...labels.map((label) => ({
        order_id: order.id,
        label,
        amount: '-2',
        source_type: 'Store::TaxRate',
        rate: '0.08',
        included_rates: '0.08',
        closed: true,
      })),
      { order_id: order.id, label: 'Promotion (夏 (2026))', amount: '-1' },
    ]);
    await withStoreSetting({ document_locale: 'ja' }, async () => {
      const [mail] = await publish('order.completed', order);
      expect(mail?.text).toMatch(/^値引き \(夏 \(2026\)\): -\$1\.00$/m);
      expect(mail?.text).toMatch(/^消費税8%: -\$2\.00$/m);
      expect(mail?.text).toMatch(/^USt\. 19\.0%: -\$2\.00$/m);
      expect(mail?.text).toMatch(/値引き[^]*消費税8%[^]*USt\./);
      expect(mail?.text).not.toMatch(/Promotion|Refund|Included/);
    });
  });

  test('the refund mail has the amount, also in the language and format of the store', async () => {
    const order = await aCompleteOrder();
    const [payment] = order.payments;
    const [refund] = await testDb()('refunds')
      .insert({ payment_id: payment.id, amount: '12.50', reason: 'Scratched' })
      .returning(['created_at']);
    const created_at = refund.created_at;
    const [mail] = await publish('payment.refunded', order, { subject_id: payment.id, created_at });
    expect(mail?.text).toContain(`We have refunded $12.50 for your order ${order.number}.`);
    expect(mail?.text).toContain('Reason: Scratched');
    await withStoreSetting({ document_locale: 'de' }, async () => {
      const [, german] = await publish('payment.refunded', order, { subject_id: payment.id, created_at });
      expect(german?.text).toMatch(/Wir haben 12,50\s\$ für Ihre Bestellung/);
      for (const [reason, isShown] of [
        ['Return RA414151926', false],
        ['order cancel', false],
        ['order canceled by phone', true],
      ] as const) {
        await testDb()('refunds').where({ payment_id: payment.id }).update({ reason });
        const mails = await publish('payment.refunded', order, { subject_id: payment.id, created_at });
        expect([reason, mails.at(-1)?.text?.includes('Grund')]).toEqual([reason, isShown]);
      }
    });
  });

  test('the mails of cancellations and returns name the order', async () => {
    const order = await aCompleteOrder();
    await testDb()('orders').where({ id: order.id }).update({ canceled_at: new Date() });
    const [canceled] = await publish('order.canceled', order);
    expect(canceled?.subject).toBe(`Your order ${order.number} was canceled`);
    const [reason] = await testDb()('return_authorization_reasons').select('id').limit(1);
    const [location] = await testDb()('stock_locations').select('id').limit(1);
    const [made] = await testDb()('return_authorizations')
      .insert({
        number: unique('RA'),
        order_id: order.id,
        stock_location_id: location.id,
        return_authorization_reason_id: reason.id,
      })
      .returning(['id', 'number']);
    const mails = await publish('return.received', order, { subject_id: made.id });
    expect(mails.at(-1)?.subject).toBe(`We have received your return ${made.number}`);
  });

  test('each can be switched off', async () => {
    const order = await aCompleteOrder();
    await withStoreSetting({ mail_order_confirmed: false }, async () => {
      expect(await publish('order.completed', order)).toEqual([]);
    });
  });

  test('orders that were sold elsewhere or long ago are not confirmed', async () => {
    const order = await aCompleteOrder();
    await testDb()('orders')
      .where({ id: order.id })
      .update({ created_at: new Date(Date.now() + 60_000) });
    expect(await publish('order.completed', order)).toEqual([]);
    const other = await aCompleteOrder();
    const created_at = new Date(Date.now() + 25 * 3_600_000);
    expect(await publish('order.completed', other, { created_at })).toEqual([]);
  });

  test('the invoice is attached if the store wants it', async () => {
    const order = await aCompleteOrder();
    await withStoreSetting({ mail_invoice: true }, async () => {
      const [mail] = await publish('order.completed', order);
      expect(mail?.attachments).toMatchObject([{ contentType: 'application/pdf' }]);
      expect(mail?.attachments[0]?.content.subarray(0, 5).toString()).toBe('%PDF-');
      expect(mail?.text).toContain('The invoice is attached.');
    });
  });

  test('a mail of one event is stored once, also if its job runs again', async () => {
    const order = await aCompleteOrder();
    const id = (lastEvent += 1);
    const first = await publish('order.completed', order, { id });
    const second = await publish('order.completed', order, { id });
    expect(second).toHaveLength(1);
    expect(second[0]?.messageId).toBe(first[0]?.messageId);
    expect(first[0]?.messageId).toBe(`<order_confirmed.${id}@example.com>`);
  });
});

test('the mails of many orders are jobs of ten, parse their template once, create no formatters and take few statements', async () => {
  await publish('order.completed', await aCompleteOrder());
  const order = await aCompleteOrder();
  const expensive = [jest.spyOn(Parser.prototype, 'parse'), jest.spyOn(Intl, 'DisplayNames')];
  const tasks = async () =>
    (await testDb()('graphile_worker.jobs').orderBy('id')).map(({ task_identifier }) => task_identifier);
  try {
    await noteCompletions(Array.from({ length: 11 }, () => order));
    expect(await tasks()).toEqual(['send_mails', 'send_mail']);
    const sent = await listQueries(() => runJobs());
    expect(expensive.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    const store = await findMailStore(testDb());
    expect(buildStoreView(store).labels).toBe(buildStoreView(store).labels);
    expect(sent.filter((sql) => !sql.includes('graphile_worker'))).toHaveLength(2 * 4);
  } finally {
    for (const spy of expensive) spy.mockRestore();
  }
  expect(await parseMailsTo(order.email)).toHaveLength(11);
});

test('demo orders send no mails while they are created', async () => {
  const order = await aCompleteOrder();
  const [story] = planStories();
  await testDb()('orders').where({ id: order.id }).update({ number: story?.number });
  await testDb()('seeds').insert({ name: DEMO_ORDERS });
  try {
    expect(await publish('order.completed', order)).toEqual([]);
    await testDb()('seeds').where({ name: DEMO_ORDERS }).update({ finished_at: new Date() });
    expect(await publish('order.completed', order, { created_at: new Date(Date.now() - 1_000) })).toEqual([]);
    expect(
      await publish('order.completed', order, { created_at: new Date(Date.now() + 1_000) }),
    ).toHaveLength(1);
  } finally {
    await testDb()('seeds').where({ name: DEMO_ORDERS }).delete();
  }
});

test('what happens to an order is mailed once, by its events', async () => {
  const email = anAddress();
  const shipped = await aShippedOrder({ email });
  const [payment] = shipped.payments;
  const admin = api(await anAdmin());
  expect(
    (await admin.put(`/orders/${shipped.number}/payments/${payment.id}/credit`, { amount: 1 })).status,
  ).toBe(200);
  await publishEvents({ db: testDb() });
  await publishEvents({ db: testDb() });
  const subjects = (await parseMailsTo(email)).map(({ subject }) => subject);
  expect(subjects.sort()).toEqual([
    `Refund for your order ${shipped.number}`,
    `Your order ${shipped.number} at Example Store`,
    `Your order ${shipped.number} is on its way`,
  ]);
});

test('values are escaped in HTML, and have the direction of their own script', async () => {
  const order = await aCompleteOrder();
  await testDb()('addresses')
    .where({ id: order.ship_address.id })
    .update({ address1: '<img src=x onerror=alert(1)>', city: 'تل أبيب (يافا)' });
  const [mail] = await publish('order.completed', order);
  expect(mail?.html).not.toContain('<img');
  expect(mail?.html).toContain('&lt;img src=x');
  expect(mail?.html).toMatch(/<span dir="auto">[^<]*تل أبيب \(يافا\)[^<]*<\/span>/);
  const [{ variant }] = order.line_items;
  expect(mail?.html).toContain(`<span dir="auto">${variant.name}</span>`);
});

describe('an SMTP server', () => {
  const withMailer = async (
    url: string,
    work: (deps: ReturnType<typeof testApp>['deps']) => Promise<void>,
  ) => {
    const mailer = createMailer(createSmtp(url), TEST_SECRET);
    try {
      await work({ ...testApp().deps, mailer });
    } finally {
      mailer.close();
    }
  };

  test('receives mails, and what fails is listed, and sent again under the same id', async () => {
    const order = await aCompleteOrder();
    const admin = api(await anAdmin());
    const listFailures = async () =>
      (await admin.get('/undelivered_mails')).body.undelivered_mails.filter(
        ({ order_number }: any) => order_number === order.number,
      );
    const id = (lastEvent += 1);
    let failures = 1;
    const server = await startMailServer(() => (failures-- > 0 ? buildSmtpError(451, 'try later') : null));
    try {
      await note('order.completed', order, { id, subject_id: order.id, created_at: new Date() });
      await withMailer(server.url, async (deps) => {
        await expect(runJobs(deps)).rejects.toThrow('try later');
        expect(server.received).toEqual([]);
        expect(await listFailures()).toEqual([
          {
            id: expect.stringMatching(/^\d+$/),
            name: 'order_confirmed',
            order_number: order.number,
            email: order.email,
            attempts: 1,
            reason: expect.stringContaining('try later'),
            created_at: expect.any(String),
            next_attempt_at: expect.any(String),
          },
        ]);
        // Given up: it is not tried again by itself.
        await testDb()('graphile_worker._private_jobs').where({ attempts: 1 }).update({ max_attempts: 1 });
        expect(await listFailures()).toMatchObject([{ next_attempt_at: null }]);
        expect((await admin.put('/undelivered_mails/retry')).body.retried).toBeGreaterThan(0);
        await runJobs(deps);
        expect(await listFailures()).toEqual([]);
      });
      expect(server.received).toMatchObject([
        { to: [order.email], mail: { messageId: `<order_confirmed.${id}@example.com>` } },
      ]);
    } finally {
      await server.stop();
    }
  });

  test('receives several mails of one job: one that fails has a job of its own, and no other is sent again', async () => {
    const orders = [await aCompleteOrder(), await aCompleteOrder(), await aCompleteOrder()];
    const [, second] = orders;
    let failures = 2;
    const server = await startMailServer((address) =>
      address === second.email && failures-- > 0 ? buildSmtpError(451, 'try later') : null,
    );
    const listReceived = () => server.received.map(({ mail }) => mail.messageId).sort();
    const writing = jest.spyOn(Socket.prototype, 'write');
    try {
      const ids = await noteCompletions(orders);
      const [first, later, third] = ids.map((id) => `<order_confirmed.${id}@example.com>`);
      await withMailer(server.url, async (deps) => {
        await expect(runJobs(deps)).rejects.toThrow('try later');
        expect(listReceived()).toEqual([first, third].sort());
        const admin = api(await anAdmin());
        const failed = (await admin.get('/undelivered_mails')).body.undelivered_mails;
        expect(failed).toMatchObject([{ order_number: second.number, attempts: 1 }]);
        await admin.put('/undelivered_mails/retry');
        await runJobs(deps);
        expect(listReceived()).toEqual([first, later, third].sort());
      });
      // A mail takes few calls of the system.
      const pieces = writing.mock.calls.map(([piece]) => String(piece));
      expect(pieces.filter((one) => /^Message-ID:.*<\/html>/ms.test(one))).toHaveLength(3);
    } finally {
      writing.mockRestore();
      await server.stop();
    }
  });

  test('receives mails again under the same ids if their job runs again, and none of a worker that stops', async () => {
    const order = await aCompleteOrder();
    const mail = { name: 'order_confirmed', order_id: order.id, subject_id: order.id };
    const job = ['a', 'b'].map((id) => ({ ...mail, id: unique(id), at: new Date().toISOString() }));
    const server = await startMailServer();
    try {
      await withMailer(server.url, async (deps) => {
        const run = (isRunning: boolean) =>
          sendMails(deps, job, {
            isSample: () => Promise.resolve(false),
            isRunning: () => isRunning,
            attempt: 1,
          });
        await run(true);
        await run(true);
        const received = server.received.map(({ mail: { messageId } }) => messageId).sort();
        const ids = job.map(({ id }) => `<order_confirmed.${id}@example.com>`);
        expect(received).toEqual(ids.flatMap((id) => [id, id]).sort());
        await run(false);
        expect(server.received).toHaveLength(4);
        await runJobs(deps);
        expect(server.received).toHaveLength(6);
      });
    } finally {
      await server.stop();
    }
  });

  test('that refuses a mail for good is not called again by itself, and the mail is listed until it is sent', async () => {
    const order = await aCompleteOrder();
    const admin = api(await anAdmin());
    const person = anAddress();
    const calls: string[] = [];
    let isMended = false;
    const server = await startMailServer((address) => {
      calls.push(address);
      if (isMended) return null;
      return buildSmtpError(550, `<${address}>: no such user`);
    });
    const list = async () =>
      (await admin.get('/undelivered_mails')).body.undelivered_mails.sort((a: any, b: any) =>
        a.name.localeCompare(b.name),
      );
    try {
      const id = (lastEvent += 1);
      await note('order.completed', order, { id, subject_id: order.id, created_at: new Date() });
      await withTransaction({ db: testDb() }, (tx) => {
        testApp().deps.mailer.post(tx, 'password_reset', { to: person, link: 'https://x.example' });
        return Promise.resolve();
      });
      const refused = { attempts: 1, reason: '550 <…>: no such user', next_attempt_at: null };
      const confirmation = {
        ...refused,
        name: 'order_confirmed',
        email: order.email,
        order_number: order.number,
      };
      const reset = { ...refused, name: 'password_reset', email: person, order_number: null };
      await withMailer(server.url, async (deps) => {
        await runJobs(deps);
        await runJobs(deps);
        expect(calls).toHaveLength(2);
        expect(await list()).toMatchObject([confirmation, reset]);
        // Each is refused once more, and still one mail.
        expect((await admin.put('/undelivered_mails/retry')).body.retried).toBe(2);
        await runJobs(deps);
        expect(calls).toHaveLength(4);
        expect(await list()).toMatchObject([confirmation, reset]);
        await deps.mailer.forget(testDb(), person.toUpperCase());
        expect(await list()).toMatchObject([confirmation]);
        // Another person, with whose address that of the order ends.
        const last_error = `421 <${order.email}>: try again later`;
        await testDb()('graphile_worker._private_jobs').update({ last_error });
        await deps.mailer.forget(testDb(), order.email.slice(1));
        expect(await list()).toHaveLength(1);

        isMended = true;
        expect((await admin.put('/undelivered_mails/retry')).body.retried).toBe(1);
        await runJobs(deps);
        expect(await list()).toEqual([]);
      });
      expect(server.received).toMatchObject([
        { to: [order.email], mail: { messageId: `<order_confirmed.${id}@example.com>` } },
      ]);
    } finally {
      await server.stop();
    }
  });

  test('that refuses the contents for good is not called again by itself; the mail can be dismissed, and is forgotten after 30 days', async () => {
    const orders = [await aCompleteOrder(), await aCompleteOrder()];
    const admin = api(await anAdmin());
    const server = await startMailServer(() => null, buildSmtpError(554, 'spam'));
    const list = async () => (await admin.get('/undelivered_mails')).body.undelivered_mails;
    try {
      await noteCompletions(orders);
      await withMailer(server.url, (deps) => runJobs(deps));
      const refused = { reason: '554 spam', next_attempt_at: null };
      const [one, other] = await list();
      expect([one, other]).toMatchObject([refused, refused]);
      const dismiss = async (id: string) => (await admin.delete(`/undelivered_mails/${id}`)).status;
      await testDb()('graphile_worker._private_jobs').update({ locked_at: new Date() });
      expect(await dismiss(one.id)).toBe(404);
      await testDb()('graphile_worker._private_jobs').update({ locked_at: null });
      expect([await dismiss(one.id), await dismiss(one.id), await dismiss('0')]).toEqual([204, 404, 404]);
      expect(await list()).toEqual([other]);
      const forget = async (created_at: Date) => {
        await testDb()('graphile_worker._private_jobs').update({ created_at });
        await deleteOldUndeliveredMails(testApp().deps);
        return (await list()).length;
      };
      const now = Date.now();
      expect(await forget(new Date(now - 30 * DAY_MS + 60_000))).toBe(1);
      expect(await forget(new Date(now - 30 * DAY_MS))).toBe(0);
    } finally {
      await server.stop();
    }
  });

  test('is checked with its password', async () => {
    const server = await startMailServer();
    try {
      expect(await checkSmtp(server.url)).toBeNull();
      expect(await checkSmtp(server.url.replace('a%2Fb', 'wrong'))).toBe('EAUTH');
      expect(await checkSmtp('smtp://127.0.0.1:1')).toBe('ECONNREFUSED');
      expect(await checkSmtp('smtp://mail.invalid')).toMatch(/^(EDNS|ENOTFOUND|EAI_AGAIN)$/);
    } finally {
      await server.stop();
    }
  });
});

test('requested mails are encrypted in the queue', async () => {
  const email = anAddress();
  await withTransaction({ db: testDb() }, (tx) => {
    testApp().deps.mailer.post(tx, 'password_reset', { to: email, link: 'https://x.example/secret-link' });
    return Promise.resolve();
  });
  const jobs = JSON.stringify(await testDb()('graphile_worker._private_jobs').select('payload'));
  expect(jobs).toContain('password_reset');
  expect(jobs).not.toMatch(/secret-link|buyer/);
  expect((await parseMailsTo(email))[0]?.text).toContain('https://x.example/secret-link');
});

describe('templates', () => {
  test.each(Object.keys(MAIL_LABELS))('previews in %s show no gaps', async (document_locale) => {
    const admin = api(await anAdmin());
    await withStoreSetting({ document_locale }, async () => {
      for (const name of MAIL_NAMES) {
        const { status, body } = await admin.get(`/mails/preview/${name}`);
        expect(status).toBe(200);
        for (const part of [body.subject, body.text, body.html.replace(/<style>.*<\/style>/s, '')])
          expect(part).not.toMatch(/\{\w+\}|undefined|\bnull\b|\[object|\{\{|\{%/);
        expect(body.subject.length).toBeGreaterThan(3);
      }
    });
  });

  test('previews show amounts in the currency of the store', async () => {
    const admin = api(await anAdmin());
    await withStoreSetting({ currency: 'EUR', document_locale: 'de' }, async () => {
      for (const name of ['order_confirmed', 'refunded']) {
        const { text } = (await admin.get(`/mails/preview/${name}`)).body;
        expect(text).toMatch(/\d,\d\d\s€/);
        expect(text).not.toMatch(/\$|USD/);
      }
    });
  });

  test('written out with the words of the store, they are the same mails', async () => {
    const admin = api(await anAdmin());
    await withStoreSetting({ document_locale: 'fr' }, async () => {
      const { mails } = (await admin.get('/mails')).body;
      expect(mails[0].written_out.subject).toBe('Votre commande {{ order.number }} chez {{ store.name }}');
      for (const { name, written_out } of mails) {
        const preview = async () => {
          const { body } = await admin.get(`/mails/preview/${name}`);
          return { ...body, html: body.html.replaceAll('&#39;', "'") };
        };
        const before = await preview();
        expect(JSON.stringify(written_out)).not.toContain('labels.');
        await admin.put(`/mails/${name}`, { mail: written_out });
        expect(await preview()).toEqual(before);
        await admin.delete(`/mails/${name}`);
      }
    });
  });

  test('are changed and restored; a wrong one is refused with its line', async () => {
    const admin = api(await anAdmin());
    const changed = await admin.put('/mails/order_confirmed', {
      mail: {
        subject: 'Danke, {{ order.number }}',
        text: '{% for item in items %}{{ item.name }} {% endfor %}',
      },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { subject: 'Danke, {{ order.number }}', changed_at: expect.any(String) },
    });
    const order = await aCompleteOrder();
    const [mail] = await publish('order.completed', order);
    expect(mail?.subject).toBe(`Danke, ${order.number}`);
    expect(mail?.text?.trim()).toBe(order.line_items[0].variant.name);
    const refusals = [
      [{ html: 'one\n{% if %}' }, 'html'],
      [{ text: '{{ order.number | nothing }}' }, 'text'],
      [{ subject: ' ' }, 'subject'],
      [{ subject: '{{ order.nummer }}' }, 'subject'],
      [{ html: "{% include '/etc/passwd' %}" }, 'html'],
      [{ html: '{% for i in (1..1000000) %}{{ i }}{% endfor %}' }, 'html'],
    ] as const;
    for (const [change, part] of refusals) {
      const { status, body } = await admin.put('/mails/order_confirmed', { mail: change });
      expect([change, status, Object.keys(body.errors ?? {})]).toEqual([change, 422, [part]]);
    }
    expect(
      (await admin.put('/mails/order_confirmed', { mail: refusals[0][0] })).body.errors.html[0],
    ).toContain('line:2');
    expect((await admin.delete('/mails/order_confirmed')).status).toBe(204);
    expect((await admin.get('/mails/order_confirmed')).body).toMatchObject({ changed_at: null });
    expect((await admin.get('/mails')).body.mails.map(({ name }: any) => name)).toEqual([...MAIL_NAMES]);
    expect((await admin.get('/mails/other')).status).toBe(404);
  });

  test('a template cannot reach prototypes or the process', async () => {
    const admin = api(await anAdmin());
    const html = '[{{ order.constructor }}{{ constructor }}{{ process }}{{ order.__proto__ }}]';
    await admin.put('/mails/refunded', { mail: { html } });
    expect((await admin.get('/mails/preview/refunded')).body.html).toBe('[]');
    await admin.delete('/mails/refunded');
  });
});
