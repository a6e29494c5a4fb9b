import createClient from 'openapi-fetch';
import type { Calls } from './calls.ts';
import { each, type EachOptions, type ListPath, type RecordOf } from './each.ts';
import { chooseWarn, createIgnoredReport, type Warn } from './ignored.ts';
import { retryingFetch, type RetryOptions } from './retry.ts';
import type { paths } from './schema.ts';
import { serializeBody, serializeQuery } from './serialize.ts';

/** A token, or a function that returns the current one. Without a token, requests are sent as a guest. */
export type Token = string | null | undefined | (() => MaybeToken | Promise<MaybeToken>);

type MaybeToken = string | null | undefined;

export interface StoreClientOptions {
  /** The address of the store, without a path: `https://api.shop.example`. */
  baseUrl: string;
  /** A user's API token, sent as `X-Store-Token`. Use an admin's token only on a server, never in a page. */
  token?: Token;
  /** The `token` of a guest's order, sent as `X-Order-Token`. */
  orderToken?: Token;
  /** The function that sends requests; defaults to the platform's `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** How often and how long to retry requests that are safe to repeat; `false` disables retries. */
  retry?: RetryOptions | false;
  /**
   * Whether the store refuses requests with unknown parameters (422) instead of ignoring them. For development and tests: a
   * newer client would fail with an older store.
   */
  strict?: boolean;
  /**
   * Reports parameters that the store ignored, such as misspelled ones. Defaults to `console.warn` in development; `false`
   * reports nothing.
   */
  warn?: Warn | false;
}

export interface StoreClient extends Calls {
  /** Iterates over all records of a list: `for await (const product of store.each('/api/v1/products'))`. */
  each<P extends ListPath>(path: P, ...options: EachOptions<P>): AsyncGenerator<RecordOf<P>, void, undefined>;
}

/**
 * Creates a client for the store at `baseUrl`. Calls resolve to `data` or `error` and reject only without a response;
 * `unwrap` turns error responses into exceptions. The client holds no state, so one per user is cheap.
 */
export function createStoreClient(options: StoreClientOptions): StoreClient {
  const { baseUrl, token, orderToken, retry = {}, strict = false } = options;
  const warn = chooseWarn(options.warn);
  const report = warn === null ? null : createIgnoredReport(warn);
  // Looked up at each call, because instrumentation may replace the global function later.
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const client = createClient<paths>({
    baseUrl,
    fetch: retry === false ? send : retryingFetch(send, retry),
    querySerializer: serializeQuery,
    bodySerializer: serializeBody,
    // The API never redirects, and following a redirect would send the tokens to its target.
    redirect: 'error',
  });
  client.use({
    onRequest: async ({ request }) => {
      await setToken(request.headers, 'X-Store-Token', token);
      await setToken(request.headers, 'X-Order-Token', orderToken);
      if (strict && !request.headers.has('Prefer')) request.headers.set('Prefer', 'handling=strict');
    },
    onResponse: ({ request, response }) => {
      report?.(request, response);
      return withJson(response);
    },
  });
  const { POST, PUT, DELETE } = client;
  const get = client.GET as (path: string, init?: object) => unknown; // Its types depend on the path.
  const GET = (path: string, init?: object) => get(path, { ...init, parseAs: chooseParser(path) });
  // The same functions under stricter types.
  const calls = { GET, POST, PUT, DELETE } as unknown as Calls;
  return { ...calls, each: (path, ...rest) => each(calls, path, ...rest) };
}

/** Returns how the reply of a path is read: paths of files end with their extension. */
function chooseParser(path: string): 'json' | 'text' | 'blob' {
  if (path.endsWith('.csv')) return 'text';
  return /\.(pdf|zip)$/.test(path) ? 'blob' : 'json';
}

/** Sets the token header, unless the call has set it. */
async function setToken(headers: Headers, name: string, token: Token): Promise<void> {
  if (headers.has(name)) return;
  const value = typeof token === 'function' ? await token() : token;
  if (value != null && value !== '') headers.set(name, value);
}

/** Converts an error response that is not JSON, for example a proxy's error page, to the format of the API's errors. */
function withJson(response: Response): Response | undefined {
  const { ok, status, statusText } = response;
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false;
  if (ok || isJson || status === 304) return undefined;
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  headers.delete('Content-Encoding');
  headers.set('Content-Type', 'application/json');
  const error = `${status} ${statusText}`.trim();
  return new Response(JSON.stringify({ error }), { status, statusText, headers });
}
