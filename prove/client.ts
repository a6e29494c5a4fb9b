import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_TOKEN, type Stage } from './stage';

/** The parts of replies that the clients use. Which ones are there depends on the request; the tests of the store check that. */
export interface Body {
  id: number;
  number: string;
  token: string;
  state: string;
  total: string;
  master: { id: number };
  line_items: { id: number }[];
  payments: { id: number; state: string }[];
  shipments: { number: string }[];
  stock_locations: { id: number }[];
  stock_items: { id: number }[];
  return_authorization_reasons: { id: number }[];
}

export interface Reply {
  status: number;
  body: Body;
  /** `X-Error-Code`; null for a success. */
  code: string | null;
}

/** What the clients have seen. */
export interface Tally {
  /** Replies by status; 0 for none. */
  statuses: Map<number, number>;
  /** Successful replies. */
  answered: number;
  /** Successful replies to a request that was sent before. */
  repeated: number;
  /** Replies that a client must never get. */
  unexpected: string[];
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  /** Who sends it: the holder of the token of an order, or a guest. Defaults to the administrator. */
  by?: { orderToken: string } | 'guest';
}

/** Sends requests with an Idempotency-Key until they are answered. */
export type Send = (request: ApiRequest) => Promise<Reply>;

/** A request was refused, or not answered in the end. */
export class SaleEnded extends Error {}

/** Statuses of requests to repeat; 0 for no reply. */
const REPEATED: ReadonlySet<number> = new Set([0, 409, 429, 503]);
const ATTEMPTS = 3_000;
const PAUSE_MS = 100;
const TIME_LIMIT_MS = 20_000;
/** The body of a request without a reply, which is repeated before anyone reads it. */
const NOTHING = {} as Body;

export function createTally(): Tally {
  return { statuses: new Map(), answered: 0, repeated: 0, unexpected: [] };
}

/**
 * Creates a client that repeats each request with its key, as clients should, until it is neither refused for now nor
 * lost. @throws SaleEnded for any other reply than a success, which is noted as unexpected
 */
export function createClient({ url, pending }: Pick<Stage, 'url' | 'pending'>, tally: Tally): Send {
  return async (request) => {
    const key = randomUUID();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const reply = await sendOnce(url(), request, key, pending);
      tally.statuses.set(reply.status, (tally.statuses.get(reply.status) ?? 0) + 1);
      if (reply.status >= 200 && reply.status < 300) {
        tally.answered += 1;
        if (attempt > 1) tally.repeated += 1;
        return reply;
      }
      if (!REPEATED.has(reply.status) || reply.code === 'reply_lost')
        return end(tally, request, `${reply.status} ${JSON.stringify(reply.body)} (attempt ${attempt})`);
      await pause(PAUSE_MS);
    }
    return end(tally, request, `no reply after ${ATTEMPTS} attempts`);
  };
}

function end(tally: Tally, { method, path }: ApiRequest, what: string): never {
  tally.unexpected.push(`${method} ${path}: ${what}`);
  throw new SaleEnded(what);
}

async function sendOnce(
  url: string,
  request: ApiRequest,
  key: string,
  pending: Set<AbortController>,
): Promise<Reply> {
  const { method, path, body, by } = request;
  // Not AbortSignal.any: on Node.js 20 it loses the time limit to the garbage collection.
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), TIME_LIMIT_MS);
  pending.add(giveUp);
  try {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(method !== 'GET' && { 'Idempotency-Key': key, 'Content-Type': 'application/json' }),
        ...(by === undefined && { 'X-Store-Token': ADMIN_TOKEN }),
        ...(typeof by === 'object' && { 'X-Order-Token': by.orderToken }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: giveUp.signal,
    });
    const text = await reply.text();
    return {
      status: reply.status,
      body: JSON.parse(text === '' ? '{}' : text) as Body, // as the reference of the API says
      code: reply.headers.get('x-error-code'),
    };
  } catch {
    return { status: 0, body: NOTHING, code: null };
  } finally {
    clearTimeout(timer);
    pending.delete(giveUp);
  }
}
