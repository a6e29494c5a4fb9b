import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** The credentials of an app of PayPal, and the addresses to which buyers return. */
export const Credentials = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  /** The id of the webhook, which is part of what its events are signed with. */
  webhook_id: z.string().min(1),
  environment: z.enum(['live', 'sandbox']).default('live'),
  /** Where buyers come back to after they have approved a payment at PayPal, or not. */
  return_url: z.string().min(1),
});
export type Credentials = z.output<typeof Credentials>;

const HOSTS = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' } as const;
/** Shorter than the time that calls of gateways may take, which may consist of several requests. */
const TIMEOUT_MS = 5_000;
/** How long before its end a token is replaced. */
const TOKEN_MARGIN_SECONDS = 60;

/** PayPal has refused a request: a decision. */
export class PaypalRefusal extends Error {
  /** @param issue such as `INSTRUMENT_DECLINED` */
  constructor(
    readonly status: number,
    readonly issue: string,
    description: string,
  ) {
    super(description);
  }
}

/** PayPal has not decided. The log has the code. */
class PaypalUnavailable extends Error {
  readonly code: string;

  constructor(status: number) {
    super(`PayPal answers with status ${status}`);
    this.code = `STATUS_${status}`;
  }
}

export interface PaypalRequest {
  method?: 'GET' | 'POST';
  path: string;
  /** JSON text or a value; none for GET. */
  body?: unknown;
  /** The same for every attempt. */
  key?: string;
}

/** Sends requests to PayPal and returns the JSON of replies. @throws PaypalRefusal; Error if the decision is unknown */
export type PaypalClient = (request: PaypalRequest) => Promise<unknown>;

const Token = z.object({ access_token: z.string(), expires_in: z.number() });
const Problem = z.object({
  name: z.string().default(''),
  message: z.string().default(''),
  details: z
    .array(z.object({ issue: z.string().default(''), description: z.string().optional() }))
    .default([]),
});

/**
 * What a refusal with these statuses says is not about the payment: the credentials, another request that is still running, or too
 * many of them.
 */
const UNDECIDED = new Set([401, 403, 408, 409, 429]);

/** Creates what opens clients. Access tokens are kept until they expire. @param host replaces the address of the API */
export function createPaypalClients(host?: string): (credentials: Credentials) => PaypalClient {
  const tokens = new LRUCache<string, string>({ max: 20 });
  return (credentials) => {
    const base = host ?? HOSTS[credentials.environment];
    const { client_id, client_secret } = credentials;
    const id = [base, client_id, client_secret].join(' ');

    const signIn = async (): Promise<string> => {
      const reply = await fetch(`${base}/v1/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!reply.ok) throw new PaypalUnavailable(reply.status);
      const { access_token, expires_in } = Token.parse(await reply.json());
      const ttl = Math.max(1, expires_in - TOKEN_MARGIN_SECONDS) * 1000;
      tokens.set(id, access_token, { ttl });
      return access_token;
    };

    const send = async ({ method = 'POST', path, body, key }: PaypalRequest): Promise<Response> =>
      fetch(base + path, {
        method,
        headers: {
          authorization: `Bearer ${tokens.get(id) ?? (await signIn())}`,
          ...(method === 'POST' && { 'content-type': 'application/json', prefer: 'return=representation' }),
          ...(key !== undefined && { 'paypal-request-id': key }),
        },
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });

    return async (request) => {
      let reply = await send(request);
      if (reply.status === 401 && tokens.delete(id)) reply = await send(request);
      const text = await reply.text();
      if (reply.ok) return text === '' ? {} : (JSON.parse(text) as unknown);
      if (reply.status >= 500 || UNDECIDED.has(reply.status)) throw new PaypalUnavailable(reply.status);
      const { name, message, details } = Problem.parse(JSON.parse(text));
      throw new PaypalRefusal(reply.status, details[0]?.issue ?? name, details[0]?.description ?? message);
    };
  };
}
