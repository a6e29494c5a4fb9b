import createClient from 'openapi-fetch';
import type { Calls } from './calls.ts';
import { each, type EachOptions, type ListPath, type RecordOf } from './each.ts';
import { retrying, type RetryOptions } from './retry.ts';
import type { paths } from './schema.ts';
import { bodySerializer, querySerializer } from './serialize.ts';

/** A token, or what gives the one that holds now; without one the request goes out as a guest's. */
export type Token = string | null | undefined | (() => MaybeToken | Promise<MaybeToken>);

type MaybeToken = string | null | undefined;

export interface StoreClientOptions {
  /** Where the store is, without a path: `https://api.shop.example`. */
  baseUrl: string;
  /** A user's API token, sent as `X-Store-Token`. An admin's belongs on a server, never in a page. */
  token?: Token;
  /** The `token` of a guest's order, sent as `X-Order-Token`. */
  orderToken?: Token;
  /** What sends the requests; the platform's `fetch` unless told. */
  fetch?: (request: Request) => Promise<Response>;
  /** How often and how long to try again where that can do no harm; `false`: never. */
  retry?: RetryOptions | false;
}

export interface StoreClient extends Calls {
  /** All records of a list: `for await (const product of store.each('/api/v1/products'))`. */
  each<P extends ListPath>(path: P, ...options: EachOptions<P>): AsyncGenerator<RecordOf<P>, void, undefined>;
}

/**
 * A client of the store at `baseUrl`. Its calls resolve with `data` or `error` and reject only when there is no answer;
 * `unwrap` turns refusals into exceptions. It holds no state: clients for several callers may stand side by side.
 */
export function createStoreClient(options: StoreClientOptions): StoreClient {
  const { baseUrl, token, orderToken, retry = {} } = options;
  // Looked up at each call, so that it may be exchanged, by instrumentation for example.
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const client = createClient<paths>({
    baseUrl,
    fetch: retry === false ? send : retrying(send, retry),
    querySerializer,
    bodySerializer,
    // The API never redirects, and a redirect would carry the tokens to wherever it leads.
    redirect: 'error',
  });
  client.use({
    onRequest: async ({ request }) => {
      await setToken(request.headers, 'X-Store-Token', token);
      await setToken(request.headers, 'X-Order-Token', orderToken);
    },
    onResponse: ({ response }) => withJson(response),
  });
  const { GET, POST, PUT, DELETE } = client;
  // The same functions under stricter types.
  const calls = { GET, POST, PUT, DELETE } as unknown as Calls;
  return { ...calls, each: (path, ...rest) => each(calls, path, ...rest) };
}

/** What the call itself has set stays. */
async function setToken(headers: Headers, name: string, token: Token): Promise<void> {
  if (headers.has(name)) return;
  const value = typeof token === 'function' ? await token() : token;
  if (value != null && value !== '') headers.set(name, value);
}

/** A proxy in between refuses with a page of its own, or with nothing: as an error of the API, it cannot be overlooked. */
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
