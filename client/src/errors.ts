/** The result of every call: `data` on success or `error` otherwise, and the `Response` itself. */
export interface Outcome<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** An error response of the API, thrown by `unwrap`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The HTTP status, such as 401, 404 or 422 (invalid input). */
  readonly status: number;
  /**
   * Messages by field: `{ email: ["can't be blank"] }`; `base` stands for the whole record. Empty if there are none.
   */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds to wait before a retry; null if the response has no `Retry-After` header. */
  readonly retryAfter: number | null;
  /** The stable code of the error, such as `insufficient_stock`; null if the response is not one of the store. */
  readonly code: string | null;
  /** One sentence on how to correct the request, for developers; null if there is none. */
  readonly hint: string | null;
  /** The id of the request in the server's log; include it in bug reports. */
  readonly requestId: string | null;
  /** The unmodified response body. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    super(messageOf(body) ?? `${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.errors = errorsOf(body);
    this.retryAfter = retryAfterOf(response);
    this.code = response.headers.get('X-Error-Code');
    this.hint = response.headers.get('X-Error-Hint');
    this.requestId = response.headers.get('X-Request-Id');
    this.body = body;
  }
}

/**
 * Returns the data of a call, for code that prefers exceptions:
 * `const order = await unwrap(store.POST('/api/v1/orders'))`.
 * @throws StoreError on an error response; the error of `fetch` if there is no response
 */
export async function unwrap<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new StoreError(response, error);
  // For a response without a body (204), `Data` is `undefined`.
  return data as Data;
}

/** Returns the seconds of `Retry-After`, which may also be a date; null if the header is missing or invalid. */
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
  // Lists of records, such as the line items of a shortage, are in the body only.
  const entries = Object.entries(errors).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((message) => typeof message === 'string'),
  );
  return Object.fromEntries(entries);
}
