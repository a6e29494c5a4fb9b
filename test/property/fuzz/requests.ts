import fc from 'fast-check';
import { encode, garbageText, oddQuery } from './garbage';
import { createSampler, spoil, type JsonSchema, type Known } from './samples';

/**
 * Kinds of callers. A clerk has a role with some scopes, `limited` an administrator's token with some, `expired` one that is no
 * longer valid, `odd` one that never was. Each may also present the token of an order.
 */
export type Caller = 'guest' | 'customer' | 'admin' | 'clerk' | 'limited' | 'expired' | 'odd';

export interface FuzzRequest {
  /** Whose token is sent. */
  caller: Caller;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

interface Operation {
  requestBody?: { $ref?: string; content?: Record<string, { schema: JsonSchema }> };
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Configuration records. Changing existing ones could make every sale impossible. */
const SETTINGS =
  /\/(stores|zones|stock_locations|shipping_methods|payment_methods|tax_rates|tax_categories|shipping_categories|countries|states|users|return_authorization_reasons)\/\{/;

/** The paths with the most logic; half of the requests go to them. */
const SALES = /\/(orders|checkouts|shipments|stock_items|stock_movements)/;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Builds requests for every operation of the document, with invalid values in path, query, headers and body. */
export function fuzzRequests(document: ApiDocument, known: Known): fc.Arbitrary<FuzzRequest> {
  const sample = createSampler(document.components.schemas, known);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] !== undefined).map((method) => ({
      path,
      method,
      schema: Object.values(methods[method]?.requestBody?.content ?? {})[0]?.schema ?? {},
    })),
  );
  // Sometimes with a method that the path does not have.
  const method = (own: string) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(own) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    );
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constantFrom(...operations) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...operations.filter(({ path, method }) => method !== 'get' && SALES.test(path)),
        ),
      },
    )
    .chain((operation) => method(operation.method).map((sent) => ({ ...operation, method: sent })))
    .chain(({ path, method, schema }) =>
      fc.record({
        caller: CALLERS,
        method: fc.constant(method),
        path: fc
          .tuple(fillPath(path, method, known), queryText(known))
          .map(([filled, query]) => filled + query),
        headers: oddHeaders(known),
        body: method === 'get' ? fc.constant(null) : bodyText(spoil(sample(schema))),
      }),
    )
    .map(addContentType);
}

const CALLERS: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('admin' as const) },
  { weight: 4, arbitrary: fc.constantFrom('guest' as const, 'customer' as const) },
  { weight: 2, arbitrary: fc.constantFrom('clerk' as const, 'limited' as const) },
  { weight: 1, arbitrary: fc.constantFrom('odd' as const, 'expired' as const) },
);

/** Fills each placeholder with the id of an existing record or an invalid value. */
function fillPath(path: string, method: string, known: Known): fc.Arbitrary<string> {
  const isSafe = method === 'get' || !SETTINGS.test(path);
  const parts = path.split('/').map((part, index, all) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const ids = known[all[index - 1] ?? ''];
    const odd = garbageText.map((text) => encode(text.slice(0, 500)));
    if (ids === undefined || !isSafe) return odd;
    // Rarely deletes existing records, because later requests need them.
    const weight = method === 'delete' ? 1 : 12;
    return fc.oneof(
      { weight, arbitrary: fc.constantFrom(...ids).map(String) },
      { weight: 3, arbitrary: odd },
    );
  });
  return fc.tuple(...parts).map((filled) => filled.join('/'));
}

function queryText(known: Known): fc.Arbitrary<string> {
  const token = fc.constantFrom(...(known['order_token'] ?? [''])).map((text) => `order_token=${text}`);
  const part = fc.oneof({ weight: 3, arbitrary: oddQuery }, { weight: 1, arbitrary: token });
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }) },
    )
    .map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`).slice(0, 12_000));
}

const header = garbageText.map((text) => text.replace(/[^\x20-\x7e]/g, '~').slice(0, 200));

function oddHeaders(known: Known): fc.Arbitrary<Record<string, string>> {
  const token = fc.constantFrom(...(known['order_token'] ?? ['']).map(String));
  return fc.record(
    {
      'x-order-token': fc.oneof({ weight: 3, arbitrary: token }, { weight: 1, arbitrary: header }),
      'x-http-method-override': header,
      'idempotency-key': fc.oneof(fc.uuid(), header),
      'accept-language': header,
      'if-none-match': header,
      accept: header,
    },
    { requiredKeys: [] },
  );
}

interface BodyText {
  type: string;
  text: string;
}

function bodyText(body: fc.Arbitrary<unknown>): fc.Arbitrary<BodyText> {
  const json = body.map((value) => ({ type: 'application/json', text: JSON.stringify(value) ?? '' }));
  return fc.oneof(
    { weight: 24, arbitrary: json },
    { weight: 1, arbitrary: oddQuery.map((text) => ({ type: 'application/x-www-form-urlencoded', text })) },
    // Truncated, with a wrong content type, or not JSON.
    { weight: 1, arbitrary: json.map(({ type, text }) => ({ type, text: text.slice(0, text.length / 2) })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(json, fc.constantFrom('text/plain', 'multipart/form-data', 'application/xml', '', 'x'))
        .map(([{ text }, type]) => ({ type, text })),
    },
    { weight: 1, arbitrary: garbageText.map((text) => ({ type: 'application/json', text })) },
    { weight: 1, arbitrary: multipart },
  );
}

const multipart: fc.Arbitrary<BodyText> = fc
  .tuple(
    garbageText,
    garbageText,
    fc.constantFrom('file', 'attachment', 'image[attachment]', 'x'),
    fc.boolean(),
  )
  .map(([name, content, part, isEnded]) => ({
    type: 'multipart/form-data; boundary=edge',
    text: [
      `--edge\r\nContent-Disposition: form-data; name="${part}"; filename="${name.slice(0, 100)}"`,
      `\r\nContent-Type: image/png\r\n\r\n${content}\r\n${isEnded ? '--edge--\r\n' : '--ed'}`,
    ].join(''),
  }));

function addContentType(request: Omit<FuzzRequest, 'body'> & { body: BodyText | null }): FuzzRequest {
  const { body, headers } = request;
  if (body === null) return { ...request, body };
  return { ...request, headers: { ...headers, 'content-type': body.type }, body: body.text };
}
