/** What every call gives: the record with `data`, or the refusal with `error`, and the `Response` it came in. */
export interface Outcome<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** A refusal of the API, thrown by `unwrap`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The HTTP status: 401 and 404 are told apart from what the input is to blame for, 422. */
  readonly status: number;
  /** Messages by field: `{ email: ["can't be blank"] }`; those of the whole record under `base`. Empty when none came. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which the API wants to be asked again; null when it did not say. */
  readonly retryAfter: number | null;
  /** What the server's log calls the request; tell it when you report a fault. */
  readonly requestId: string | null;
  /** The body as it came. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    super(messageOf(body) ?? `${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.errors = errorsOf(body);
    this.retryAfter = retryAfterOf(response);
    this.requestId = response.headers.get('X-Request-Id');
    this.body = body;
  }
}

/**
 * The data of a call, for code that wants exceptions: `const order = await unwrap(store.POST('/api/v1/orders'))`.
 * @throws StoreError when the API refuses; what `fetch` throws when there is no answer
 */
export async function unwrap<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new StoreError(response, error);
  // The type of a reply without a body (204) is `undefined`, so an absent one is of the type.
  return data as Data;
}

/** Seconds, or the date HTTP also allows; null when the header is absent or says neither. */
export function retryAfterOf(response: Response): number | null {
  const header = response.headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const message = 'error' in body ? body.error : 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : undefined;
}

function errorsOf(body: unknown): StoreError['errors'] {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return {};
  const { errors } = body;
  if (typeof errors !== 'object' || errors === null) return {};
  const entries = Object.entries(errors).filter((entry): entry is [string, string[]] =>
    Array.isArray(entry[1]),
  );
  return Object.fromEntries(entries);
}
