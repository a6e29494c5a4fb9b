import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { EndpointDescription, FileType } from '../http/endpoint';
import { takesIdempotencyKey } from './request-headers';
import { buildEnvelopeSchema } from '../http/envelope';
import type { AccessText, RefusalExamples } from './reference';
import descriptions from './reply-headers.json';
import { namedObject } from '../http/named-object';

const Message = z.string().describe('What is wrong, in one sentence. Branch on `X-Error-Code` instead.');

const ErrorJson = z.object({ error: Message }).meta({ id: 'ErrorReply' });

const InvalidJson = namedObject('InvalidResource', {
  error: Message,
  errors: z
    .record(z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())])))
    .optional()
    .describe(
      'Messages by field. Fields of nested records have dotted keys; `base` stands for the whole record. If items are out of stock, `line_items` lists the affected line items, each with `id`, `variant_id`, `sku`, `requested` and `available`.',
    ),
});

type Responses = NonNullable<ZodOpenApiOperationObject['responses']>;

/** Builds all responses of an endpoint: its reply with headers, and its errors. */
export function buildResponses(
  endpoint: EndpointDescription,
  {
    access,
    statuses,
    refusals,
  }: {
    access: AccessText;
    /** Those of the error codes of the endpoint. */
    statuses: ReadonlySet<number | undefined>;
    refusals: Refusals;
  },
): Responses {
  const writes = endpoint.method !== 'get';
  const findsRecord = statuses.has(404) || access.hidesRecord === true;
  return {
    ...buildSuccess(endpoint),
    ...(hasEtag(endpoint) && { '304': NOT_MODIFIED }),
    ...(writes && { '400': refusals.Unreadable }),
    '401': refusals.NotAuthorized,
    ...(statuses.has(403) && { '403': refusals.Forbidden }),
    ...(findsRecord && { '404': refusals.NotFound }),
    ...(writes && { '409': refusals.Conflict }),
    ...(endpoint.method !== 'get' && endpoint.method !== 'post' && { '412': refusals.Changed }),
    ...(writes && { '413': refusals.TooLarge }),
    '422': buildInvalid(endpoint, refusals),
    ...(statuses.has(429) && { '429': refusals.TooManyAttempts }),
    '4XX': refusals.Refused,
    '503': refusals.Unavailable,
    '5XX': refusals.Failed,
  };
}

function buildSuccess(endpoint: EndpointDescription): Responses {
  const names = listHeaders(endpoint);
  const headers = { headers: buildHeaderRefs(names) };
  if (endpoint.file !== undefined) {
    const content = {
      [endpoint.file.replace(/^(application\/json);.*/, '$1')]: {
        schema: endpoint.reply ?? buildFileSchema(endpoint.file),
      },
    };
    const description = endpoint.isStreamed === true ? 'The file, sent while it is produced.' : 'The file.';
    return { '200': { description, ...headers, content } };
  }
  const reply =
    endpoint.paged === undefined
      ? endpoint.reply
      : buildEnvelopeSchema(endpoint.paged, { isFeed: endpoint.feed === true });
  const withoutBody = buildHeaderRefs(names.filter((name) => name !== 'ETag'));
  const empty = { '204': { description: 'Done. No body.', headers: withoutBody } };
  if (reply === undefined || endpoint.status === 204) return empty;
  const description = SUCCESS[endpoint.status] ?? (endpoint.paged === undefined ? 'Success.' : 'One page.');
  return {
    [String(endpoint.status)]: {
      description,
      ...headers,
      content: { 'application/json': { schema: reply } },
    },
    ...(endpoint.mayBeEmpty === true && empty),
  };
}

const SUCCESS: Partial<Record<EndpointDescription['status'], string>> = {
  201: 'Created.',
  202: 'Accepted; the work continues after the response.',
};

const PAGING_HEADERS = ['X-Total-Count', 'X-Page', 'X-Per-Page', 'X-Pages', 'Link'] as const;

function listHeaders(endpoint: EndpointDescription): HeaderName[] {
  return [
    'X-Request-Id',
    ...(hasEtag(endpoint) ? (['ETag'] as const) : []),
    ...(endpoint.file === undefined ? [] : (['Content-Disposition'] as const)),
    ...(endpoint.paged === undefined ? [] : PAGING_HEADERS),
    ...(endpoint.search === undefined ? [] : (['X-Ignored-Conditions'] as const)),
    'X-Ignored-Parameters',
    ...('cache' in endpoint && endpoint.cache !== undefined ? (['X-Stale'] as const) : []),
    ...(takesIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : []),
  ];
}

/** Builds the schema of a file without a schema of its own. */
function buildFileSchema(type: FileType) {
  return type.startsWith('text/') ? text : ({ type: 'string', format: 'binary' } as const);
}

function hasEtag({ method, isStreamed }: EndpointDescription): boolean {
  return method === 'get' && isStreamed !== true;
}

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Headers whose value is a number. */
const NUMBERS: readonly string[] = [
  'X-Total-Count',
  'X-Page',
  'X-Per-Page',
  'X-Pages',
  'X-Stale',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
];

/** The headers of replies, shared by all endpoints. */
export const HEADERS = Object.fromEntries(
  Object.entries(descriptions).map(([name, description]) => [
    name,
    { description, schema: NUMBERS.includes(name) ? count : text },
  ]),
);

type HeaderName = keyof typeof descriptions;

function buildHeaderRef(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` } as const;
}

function buildHeaderRefs(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, buildHeaderRef(name)]));
}

/** The headers of every error. */
const ERROR_HEADERS = {
  'X-Request-Id': buildHeaderRef('X-Request-Id'),
  'X-Error-Code': buildHeaderRef('X-Error-Code'),
  'X-Error-Hint': buildHeaderRef('X-Error-Hint'),
  'X-Ignored-Parameters': buildHeaderRef('X-Ignored-Parameters'),
  'Idempotency-Replayed': buildHeaderRef('Idempotency-Replayed'),
};

const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': buildHeaderRef('RateLimit-Limit'),
  'RateLimit-Remaining': buildHeaderRef('RateLimit-Remaining'),
  'RateLimit-Reset': buildHeaderRef('RateLimit-Reset'),
  'RateLimit-Policy': buildHeaderRef('RateLimit-Policy'),
};

const NOT_MODIFIED: ZodOpenApiResponseObject = {
  id: 'NotModified',
  description: 'Nothing has changed since the reply whose `ETag` was sent as `If-None-Match`. No body.',
  headers: { 'X-Request-Id': buildHeaderRef('X-Request-Id'), ETag: buildHeaderRef('ETag') },
};

/** The responses of errors, shared by all endpoints: the document contains each object once. */
export type Refusals = ReturnType<typeof buildRefusals>;

/** Builds the responses of errors. `examples` are those that depend on the resources of the API. */
export function buildRefusals(examples: RefusalExamples) {
  const malformed = 'The request body could not be parsed.';
  return {
    Unreadable: buildRefusal('Unreadable', 'The request is malformed, for example invalid JSON.', malformed),
    NotAuthorized: buildRefusal(
      'NotAuthorized',
      'The token is invalid, or permission is missing.',
      'You are not authorized to perform that action.',
    ),
    Forbidden: buildRefusal('Forbidden', 'The state of the record does not allow this.', examples.forbidden),
    NotFound: buildRefusal(
      'NotFound',
      'The record does not exist or is not visible.',
      'The resource you were looking for could not be found.',
    ),
    Conflict: buildRetryable(
      'Conflict',
      'Another request is changing the same record. Retry the request.',
      'Another request is changing this record. Please try again.',
    ),
    Changed: buildRefusal(
      'Changed',
      'The record does not match the `ETag` in `If-Match`.',
      'The record has changed. Fetch it again.',
    ),
    TooLarge: buildRefusal('TooLarge', 'The request is too large.', 'The request is too large.'),
    TooManyAttempts: buildRetryable(
      'TooManyAttempts',
      'Too many failed attempts, such as wrong passwords. Retry later.',
      'Too many attempts. Please try again later.',
    ),
    Refused: buildRefusal('Refused', 'Any other client error.', malformed),
    Unavailable: buildRetryable(
      'Unavailable',
      'The service is temporarily unavailable. Retry the request.',
      'The service is temporarily unavailable. Please try again.',
    ),
    Failed: buildRefusal('Failed', 'An internal error, which is logged.', 'Something went wrong.'),
    Invalid: buildInvalidRefusal(examples.invalid),
  };
}

function buildRefusal(id: string, description: string, error: string): ZodOpenApiResponseObject {
  const headers = { ...ERROR_HEADERS, ...(id === 'NotFound' && { Allow: buildHeaderRef('Allow') }) };
  return {
    id,
    description,
    headers,
    content: { 'application/json': { schema: ErrorJson, example: { error } } },
  };
}

/** Builds the response of an error that says with `Retry-After` when to retry. */
function buildRetryable(id: string, description: string, error: string): ZodOpenApiResponseObject {
  const limits = id === 'TooManyAttempts' ? RATE_LIMIT_HEADERS : {};
  const headers = { ...ERROR_HEADERS, ...limits, 'Retry-After': buildHeaderRef('Retry-After') };
  return { ...buildRefusal(id, description, error), headers };
}

function buildInvalidRefusal(examples: RefusalExamples['invalid']): ZodOpenApiResponseObject {
  const input = {
    error: 'Invalid resource. Please fix errors and try again.',
    errors: { name: ["can't be blank"] },
  };
  return {
    id: 'Invalid',
    description: 'The input is invalid, or the state of the record does not allow this.',
    headers: ERROR_HEADERS,
    content: {
      'application/json': {
        schema: InvalidJson,
        examples: {
          input: { summary: 'Invalid input', value: input },
          state: { summary: 'Not allowed in this state', value: examples.state },
          refused: { summary: 'Refused', value: { error: examples.refused } },
        },
      },
    },
  };
}

/** Builds the 422 response. An endpoint with its own refusal still returns the usual one for invalid input. */
function buildInvalid(
  { refusal: own }: EndpointDescription,
  { Invalid }: Refusals,
): ZodOpenApiResponseObject {
  if (own === undefined) return Invalid;
  const { description } = Invalid;
  const content = { 'application/json': { schema: z.union([own, InvalidJson]) } };
  return { description, headers: ERROR_HEADERS, content };
}
