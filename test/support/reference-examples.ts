import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { Secret, TOTP } from 'otpauth';
import request, { type Response } from 'supertest';
import { storeReference } from '../../docs-content/store-reference';
import { apiRouters } from '../../src/routers';
import type { EndpointDescription, Route } from '../../src/platform/http/endpoint';
import { BOGUS_SIGNATURE, signBogusEvent } from '../../src/sales/payment-processing/gateways/bogus';
import { createProfile } from '../../src/sales/payment-processing/gateways/bogus-cards';
import { buildDocument, toDocumentPath } from '../../src/platform/openapi/document';
import { findExampleSource } from '../../src/platform/openapi/parameter-examples';
import { api, type TestApp } from './api';
import { OWNER_TOKEN } from './demo-shop';
import { expectDocumented } from './documented';
import { GOOD_CARD } from './orders.factory';
import { unique } from './unique';

const CSV = Buffer.from('slug,name\nstoneware-mug,Stoneware Mug\n');
/** The card of the test gateway that needs an action of the buyer. */
const ACTION_CARD = '4000002500003155';
const PICTURE = readFileSync(path.resolve(__dirname, '../../docs/tote.png'));

export interface Example {
  endpoint: EndpointDescription;
  method: string;
  url: string;
  body?: object;
  /** Sent instead of the administrator's token. */
  headers?: Record<string, string>;
  /** The part that takes a file, where a file must be sent. */
  upload?: string;
  success: string[];
}

const endpoints = apiRouters().flatMap((router) => router.endpoints);
export const document: { paths: Record<string, Record<string, any>> } = JSON.parse(
  JSON.stringify(buildDocument(endpoints, storeReference)),
);

/** What the reference page sends when an operation is tried without changes. */
function exampleOf(endpoint: EndpointDescription, method: string): Example {
  // Aliases are documented by the operation that they repeat.
  const documented = toDocumentPath((endpoint.sameAs ?? endpoint).path);
  const operation = document.paths[documented]?.[endpoint.method];
  const parameters: any[] = operation.parameters ?? [];
  const named = parameters.filter(({ in: place }) => place === 'path');
  const url = named.reduce<string>(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    toDocumentPath(endpoint.path),
  );
  const queryParameters = parameters.filter(
    (one) => one.in === 'query' && 'example' in one && one.name !== 'q',
  );
  const query = queryParameters
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');
  const content = operation.requestBody?.content ?? {};
  const body = content['application/json']?.example;
  return {
    endpoint,
    method,
    url: query === '' ? url : `${url}?${query}`,
    ...(body !== undefined && { body }),
    ...(operation.requestBody?.required === true &&
      endpoint.upload !== undefined && { upload: endpoint.upload }),
    success: Object.keys(operation.responses).filter((status) => status.startsWith('2')),
  };
}

export const examples = endpoints.flatMap((endpoint) =>
  (endpoint.method === 'put' ? ['put', 'patch'] : [endpoint.method]).map((method) =>
    exampleOf(endpoint, method),
  ),
);

/** Tries an example, after the one that creates its record. @returns the reply */
export async function tryInTurn(shop: TestApp, example: Example): Promise<Response> {
  const prepared = await prepareExample(shop, example);
  const reply = await sendExample(shop, prepared);
  const { method, url, success } = prepared;
  const outcome = success.includes(String(reply.status)) ? String(reply.status) : reply.text;
  expect([method, url, success]).toEqual([method, url, expect.arrayContaining([outcome])]);
  return reply;
}

/** Makes what an example needs and no demo store has. @returns the example, which names it */
export async function prepareExample(shop: TestApp, example: Example): Promise<Example> {
  const { route } = example.endpoint;
  const source = findExampleSource(example.endpoint, storeReference.parameterExamples);
  const made = source === undefined ? undefined : await tryRoute(shop, source);
  // Their ids depend on the number of demo orders.
  if (made !== undefined && /\/(addresses|adjustments|relations)\/:id$/.test(route)) {
    return { ...example, url: example.url.replace(/[^/]+$/, String(made.body.id)) };
  }
  if (route.endsWith('/payments/:id/settle'))
    await interruptPayment(shop.deps.db, example.url.split('/').at(-2));
  if (/\/payments\/:id\/(confirm|cancel)_action$/.test(route))
    await keepPaymentWaiting(shop.deps.db, example.url.split('/').at(-2));
  if (route === 'post /gateways/:payment_method_id/events') {
    return { ...example, headers: { [BOGUS_SIGNATURE]: signBogusEvent(JSON.stringify(example.body)) } };
  }
  if (route.endsWith('/credit_cards/:id')) return { ...example, url: await saveCard(shop, example.url) };
  if (route.endsWith('/associate')) return { ...example, ...(await createGuestCart(shop, example.url)) };
  if (route.endsWith('/return_requests') && example.method === 'post') {
    return { ...example, body: await allowReturn(shop.deps.db, example.url) };
  }
  if (/\/return_authorizations\/:id\/(approve|decline)$/.test(route)) {
    return { ...example, url: await requestReturn(shop, example.url) };
  }
  if (route.includes('/two_factor') && example.method !== 'post')
    return { ...example, ...(await setUpTwoFactor(shop, example)) };
  if (route === 'delete /undelivered_mails/:id')
    return { ...example, url: example.url.replace(/\d+$/, await refuseMail(shop.deps.db)) };
  if (route === 'put /passwords') return { ...example, body: await requestReset(shop, example.body) };
  return example;
}

async function tryRoute(shop: TestApp, route: Route): Promise<Response> {
  const found = examples.find(({ endpoint }) => endpoint.route === route);
  if (found === undefined) throw new Error(`no example of ${route}`);
  return tryInTurn(shop, found);
}

/** Sets up two-factor sign-in as far as an example needs it. @returns the body with a code that counts */
async function setUpTwoFactor(shop: TestApp, { url, method }: Example): Promise<Pick<Example, 'body'>> {
  if (!url.includes('/me/')) {
    const id = url.split('/').at(-2) ?? '';
    await shop.deps.db('two_factors').insert({ user_id: id, sealed_secret: 'sealed', recovery_hashes: [] });
    return {};
  }
  if (method === 'get') return {};
  const admin = api({ token: OWNER_TOKEN }, shop);
  const { secret, recovery_codes } = (await admin.post('/users/me/two_factor')).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  if (method !== 'delete') return { body: { code } };
  await admin.put('/users/me/two_factor', { code });
  return { body: { code: recovery_codes[0] } };
}

/** Makes a mail that a server has refused. By SQL, because no mail is sent. @returns its id */
async function refuseMail(db: Knex): Promise<string> {
  const { rows } = await db.raw(`SELECT id FROM graphile_worker.add_job('send_mail', '{"name": "shipped"}')`);
  const [{ id }] = rows;
  await db.raw(`SELECT FROM graphile_worker.permanently_fail_jobs(ARRAY[${id}], '550 no such user')`);
  return id;
}

/** Makes the gateway of a payment not answer. By SQL, because no request does. */
async function interruptPayment(db: Knex, number: string | undefined): Promise<void> {
  await db.raw(
    `WITH waiting AS (UPDATE payments SET state = 'processing' WHERE number = ? RETURNING id, amount)
     INSERT INTO payment_operations
       (payment_id, kind, event, amount, idempotency_key, state_before, started_at, claimed_until)
     SELECT id, 'capture', 'capture', amount, 'example', 'pending', now() - interval '1 hour', now() FROM waiting`,
    [number ?? ''],
  );
}

/** Makes a payment wait for an action of the buyer. By SQL, because the order has been completed. */
async function keepPaymentWaiting(db: Knex, number: string | undefined): Promise<void> {
  await db.raw(
    `WITH waiting AS (UPDATE payments SET state = 'processing' WHERE number = :number RETURNING id, amount, credit_card_id),
          card AS (UPDATE credit_cards SET gateway_customer_profile_id = :profile
                    WHERE id IN (SELECT credit_card_id FROM waiting))
     INSERT INTO payment_operations
       (payment_id, kind, event, amount, idempotency_key, state_before, claimed_until, waits_until, requires_action)
     SELECT id, 'authorize', 'authorize', amount, :key, 'checkout', now(), now() + interval '1 hour',
            '{"redirect_url": "https://bank.example/confirm"}' FROM waiting`,
    // The gateway remembers keys after the rollback.
    { number: number ?? '', profile: createProfile(ACTION_CARD), key: unique('example') },
  );
}

/** Saves a card of the administrator by a payment. @returns the URL, which names the card */
async function saveCard(shop: TestApp, url: string): Promise<string> {
  const admin = api({ token: OWNER_TOKEN }, shop);
  const order = await admin.post('/orders', { order: { line_items: [{ variant_id: 107, quantity: 1 }] } });
  const method = await shop.deps.db('payment_methods').where({ name: 'Credit Card' }).first('id');
  const payments = `/orders/${order.body.number}/payments`;
  const payment = await admin.post(payments, {
    payment: { payment_method_id: method.id, amount: '1', source_attributes: GOOD_CARD },
  });
  await admin.put(`${payments}/${payment.body.id}/authorize`);
  const { body } = await admin.get('/users/me/credit_cards');
  return url
    .replace(/\/users\/\d+/, `/users/${order.body.user_id}`)
    .replace(/\d+$/, String(body.credit_cards[0].id));
}

/** Creates a customer and the cart of a guest. @returns the URL of the cart, and both tokens */
async function createGuestCart(shop: TestApp, url: string): Promise<Pick<Example, 'url' | 'headers'>> {
  const customer = await tryRoute(shop, 'post /users');
  const { body: cart } = await api({}, shop).post('/orders');
  return {
    url: url.replace(/R\d+/, cart.number),
    headers: { 'X-Store-Token': customer.body.token, 'X-Order-Token': cart.token },
  };
}

/** Lets the store take requests for returns. @returns the body of a request for an item of the order of a URL */
async function allowReturn(db: Knex, url: string): Promise<object> {
  await db('stores').update({ return_days: 100_000 });
  const number = /R\d+/.exec(url)?.[0] ?? '';
  const unit = await db('inventory_units as u')
    .join('orders as o', 'o.id', 'u.order_id')
    .where({ 'o.number': number, 'u.state': 'shipped', 'u.return_authorization_id': null })
    .first('u.line_item_id');
  const reason = await db('return_authorization_reasons').where({ active: true }).orderBy('id').first('id');
  return {
    items: [{ line_item_id: unit.line_item_id, quantity: 1, reason_id: reason.id }],
    memo: 'Too short',
  };
}

/** Requests the return of an item of the order of a URL. @returns the URL with the id of the request */
async function requestReturn(shop: TestApp, url: string): Promise<string> {
  const { body } = await tryRoute(shop, 'post /orders/:number/return_requests');
  return url.replace(/\/return_authorizations\/\w+/, `/return_authorizations/${body.id}`);
}

/** Requests a password reset of a new customer. @returns the body with the token that was mailed */
async function requestReset(shop: TestApp, body: object | undefined): Promise<object> {
  const { body: customer } = await tryRoute(shop, 'post /users');
  await tryRoute(shop, 'post /passwords');
  // The queue has its own connections, which do not see what the transaction of the example has added.
  const job = await shop.deps
    .db('graphile_worker._private_jobs')
    .whereRaw(`payload ->> 'name' = 'password_reset'`)
    .orderBy('id', 'desc')
    .first('payload');
  const { to, link = '' } = shop.deps.mailer.open(job.payload.sealed);
  expect(to).toBe(customer.email);
  return { ...body, token: new URL(link).searchParams.get('token') };
}

/** Sends an example as the administrator; its reply is checked against the document. */
export async function sendExample(
  { app }: TestApp,
  { method, url, body, upload, headers }: Example,
  idempotencyKey?: string,
): Promise<Response> {
  const verbs = request(app) as unknown as Record<string, (url: string) => request.Test>; // by the verb's name
  const test = verbs[method]?.(url)
    .set('X-Store-Token', OWNER_TOKEN)
    .set({ ...headers });
  if (test === undefined) throw new Error(`no such verb: ${method}`);
  if (idempotencyKey !== undefined) void test.set('Idempotency-Key', idempotencyKey);
  if (upload === 'file') void test.field('kind', 'products').attach(upload, CSV, 'products.csv');
  else if (upload !== undefined) void test.attach(upload, PICTURE, 'tote.png');
  const reply = await (body === undefined ? test : test.send(body));
  expectDocumented(reply);
  const ignored = ['x-ignored-parameters', 'x-ignored-conditions'].map((name) => reply.headers[name]);
  expect(ignored).toEqual([undefined, undefined]);
  return reply;
}

/** Builds the SQL that sets every sequence to what it is now: a transaction that is rolled back leaves them ahead. */
export async function sequenceReset(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { reset: string }[] }>(
    `SELECT 'SELECT ' || string_agg(
       format('setval(%L, %s, %L)', schemaname || '.' || sequencename, coalesce(last_value, 1), last_value IS NOT NULL), ', '
     ) AS reset FROM pg_sequences`,
  );
  return rows[0]?.reset ?? '';
}
