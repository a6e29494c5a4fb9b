import { randomInt } from 'node:crypto';
import http from 'node:http';
import fc from 'fast-check';
import { hashToken, generateToken } from '../../src/access/tokens';
import { listen } from '../../src/platform/http/http-server';
import { findViolations } from '../../src/sales/verify/find-violations';
import { aClerk, aCustomer, aLimitedToken, anAdmin } from '../support/accounts.factory';
import { api, testApp } from '../support/api';
import { testDb } from '../support/database';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { createStoreRecords } from './fuzz/records';
import { fuzzRequests, type ApiDocument, type Caller, type FuzzRequest } from './fuzz/requests';
import type { Known } from './fuzz/samples';
import { send, type FuzzReply } from './fuzz/send';
import { watchChanges, type ChangeWatch } from './fuzz/watch-changes';

/** `npm run fuzz` and jest.slow.config.js set more requests. FUZZ_SEED repeats a run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 200);
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const AT_ONCE = 4;
/** On an idle machine, no reply takes 2 seconds; by default, only a hang counts (`send`). */
const LONGEST_MS = Number(process.env.FUZZ_LONGEST_MS ?? 60_000);

let server: Awaited<ReturnType<typeof listen>>;
let port: number;
let known: Known;
let document: ApiDocument;
let watch: ChangeWatch;
let knownViolations: Set<string>;
const users: Partial<Record<Caller, number>> = {};
const tokens: Partial<Record<Caller, string>> = { odd: "' OR 1=1 --" };

beforeAll(async () => {
  server = await listen({ handler: testApp().app, host: '127.0.0.1', port: 0 });
  port = Number(new URL(server.url).port);
  const callers = {
    admin: await anAdmin(),
    customer: await aCustomer(),
    clerk: await aClerk(['orders:write', 'stock:read', 'customers:read']),
    limited: await aLimitedToken('admin', ['catalog:read', 'reports:read']),
    expired: await aCustomer(),
  };
  await testDb()('api_tokens')
    .where({ user_id: callers.expired.id })
    .update({ expires_at: new Date(0) });
  for (const [caller, { id, token }] of Object.entries(callers)) {
    users[caller as Caller] = id; // a key of the object above
    tokens[caller as Caller] = token;
  }
  known = await createStoreRecords(api(callers.admin), callers.customer);
  document = (await api().get('/openapi')).body;
  watch = await watchChanges(testDb());
  knownViolations = new Set(await listViolationKeys());
});

afterAll(() => server.stop());

const listViolationKeys = async (): Promise<string[]> =>
  (await findViolations(testDb())).flatMap(({ invariant, rows }) =>
    rows.map(({ id }) => `${invariant} ${id}`),
  );

/** Creates a new token after a request may have signed the user out, so that later requests are not all refused. */
async function signInAgain({ caller, path }: FuzzRequest): Promise<void> {
  const user_id = users[caller];
  const isKept = caller === 'limited' || caller === 'expired';
  if (user_id === undefined || isKept || !/\/(sessions|tokens)/.test(path)) return;
  const token = generateToken();
  await testDb()('api_tokens').insert({ user_id, token_hash: hashToken(token) });
  tokens[caller] = token;
}

/** Replaces an order token by that of the order in the path, so that most order tokens match. */
function findOwnToken({ path, headers }: FuzzRequest): Record<string, string> {
  const order = known['orders']?.findIndex((number) => path.includes(`/${number}`)) ?? -1;
  const token = known['order_token']?.[order];
  return token === undefined || headers['x-order-token'] === undefined
    ? {}
    : { 'x-order-token': String(token) };
}

interface Finding {
  problem: string;
  request: FuzzRequest;
  reply: FuzzReply;
}

/** Returns what no reply may be; null for a good one. */
function findProblem(reply: FuzzReply): string | null {
  const { status, type, text, ms } = reply;
  if (status === 0) return 'no reply';
  if (status >= 500) return 'failed';
  if (ms > LONGEST_MS) return `took ${Math.round(ms)} ms`;
  if (/html/i.test(type) || text.trimStart().startsWith('<!')) return 'HTML';
  if (status >= 400 && !type.startsWith('application/json')) return `an error as "${type}"`;
  return null;
}

/**
 * Sends the requests, `atOnce` of them at the same time.
 * @param check looks at each reply as well. @returns the replies with a problem
 */
async function sendAll(
  requests: readonly FuzzRequest[],
  atOnce: number,
  check: (reply: FuzzReply, request: FuzzRequest) => Promise<string | null> = () => Promise.resolve(null),
): Promise<Finding[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const queue = requests.values();
  const findings: Finding[] = [];
  const sender = async (): Promise<void> => {
    for (const request of queue) {
      const token = tokens[request.caller];
      const headers = {
        ...request.headers,
        ...findOwnToken(request),
        ...(token !== undefined && { 'x-store-token': token }),
      };
      const reply = await send(port, agent, { ...request, headers });
      const problem = findProblem(reply) ?? (await check(reply, request));
      if (problem !== null) findings.push({ problem, request, reply });
      await signInAgain(request);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  agent.destroy();
  return findings;
}

function describeFinding({ problem, request, reply }: Finding): string {
  const { caller, method, path, headers, body } = request;
  const sent = `${caller}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 600)}`;
  return `${problem}: ${reply.status} ${reply.text.slice(0, 200)}\n  ${sent}`;
}

/**
 * Refusals that change something by their definition: a declined payment is kept as failed, and a step of the checkout that is
 * refused keeps the attributes that were sent with it.
 */
const RESULTS: readonly { path: RegExp; error: RegExp }[] = [
  { path: /\/payments\//, error: /problem with the payment gateway/ },
  { path: /\/checkouts\//, error: /order could not be transitioned/ },
];

/** What a refused request has changed; null for nothing. */
async function findChangeOfRefusal(
  { status, text }: FuzzReply,
  { path }: FuzzRequest,
): Promise<string | null> {
  const changes = await watch.take();
  const isResult = RESULTS.some((one) => one.path.test(path) && one.error.test(text));
  return status < 400 || changes.length === 0 || isResult
    ? null
    : `refused, and changed ${changes.join(', ')}`;
}

const draw = (seed: number, count: number): FuzzRequest[] =>
  fc.sample(fuzzRequests(document, known), { seed, numRuns: count });

test(
  `no request fails with a status of 500, hangs or is answered with HTML, whatever it contains (FUZZ_SEED=${SEED})`,
  async () => {
    const findings = await sendAll(draw(SEED, Math.ceil(REQUESTS / 2)), AT_ONCE);
    expect(findings.slice(0, 20).map(describeFinding)).toEqual([]);

    expect((await listViolationKeys()).filter((key) => !knownViolations.has(key))).toEqual([]);
    expect(await api().get('/products')).toMatchObject({ status: 200 });
    const order = await orderInState('address', { lines: [{ variant_id: (await aSellableVariant()).id }] });
    expect(order).toMatchObject({ state: 'address', total_quantity: 1 });
  },
  60_000 + REQUESTS * 250,
);

test(
  `no refused request changes anything (FUZZ_SEED=${SEED})`,
  async () => {
    await watch.take();
    const findings = await sendAll(draw(SEED + 1, Math.floor(REQUESTS / 2)), 1, findChangeOfRefusal);
    expect(findings.slice(0, 20).map(describeFinding)).toEqual([]);
  },
  60_000 + REQUESTS * 250,
);
