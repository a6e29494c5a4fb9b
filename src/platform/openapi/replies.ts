import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { EndpointDescription } from '../http/endpoint';
import { takesIdempotencyKey } from './request-headers';
import { buildEnvelopeSchema } from '../http/envelope';
import type { AccessText, RareStatus } from './reference';

const ErrorJson = z.object({ error: z.string() }).meta({ id: 'ErrorReply' });

const InvalidJson = z
  .object({
    error: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional().meta({
      description:
        'Messages by field. Fields of nested records have dotted keys; `base` stands for the whole record.',
    }),
  })
  .meta({ id: 'InvalidResource' });

type Responses = NonNullable<ZodOpenApiOperationObject['responses']>;

/** Builds all responses of an endpoint: its reply with headers, and its errors. */
export function buildResponses(
  endpoint: EndpointDescription,
  access: AccessText,
  rare: readonly RareStatus[] = [],
): Responses {
  const writes = endpoint.method !== 'get';
  const findsRecord = endpoint.path.includes(':') || access.hidesRecord === true;
  return {
    ...buildSuccess(endpoint),
    ...(!writes && { '304': NOT_MODIFIED }),
    ...(writes && { '400': buildRefusal('Unreadable') }),
    '401': buildRefusal('NotAuthorized'),
    ...(rare.includes(403) && { '403': buildRefusal('Forbidden') }),
    ...(findsRecord && { '404': buildRefusal('NotFound') }),
    ...(writes && { '409': buildRefusal('Conflict') }),
    ...(endpoint.method !== 'get' && endpoint.method !== 'post' && { '412': buildRefusal('Changed') }),
    ...(writes && { '413': buildRefusal('TooLarge') }),
    '422': buildInvalid(endpoint),
    ...(rare.includes(429) && { '429': buildRefusal('TooManyAttempts') }),
    '4XX': buildRefusal('Refused'),
    '503': buildRefusal('Unavailable'),
    '5XX': buildRefusal('Failed'),
  };
}

function buildSuccess(endpoint: EndpointDescription): Responses {
  const headers = {
    headers: Object.fromEntries(listHeaders(endpoint).map((name) => [name, buildHeaderRef(name)])),
  };
  const reply = endpoint.paged === undefined ? endpoint.reply : buildEnvelopeSchema(endpoint.paged);
  const empty = { '204': { description: 'Done. No body.', ...headers } };
  if (reply === undefined || endpoint.status === 204) return empty;
  const description =
    endpoint.status === 201 ? 'Created.' : endpoint.paged === undefined ? 'Success.' : 'One page.';
  return {
    [String(endpoint.status)]: {
      description,
      ...headers,
      content: { 'application/json': { schema: reply } },
    },
    ...(endpoint.mayBeEmpty === true && empty),
  };
}

const PAGING_HEADERS = ['X-Total-Count', 'X-Page', 'X-Per-Page', 'X-Pages', 'Link'] as const;

function listHeaders(endpoint: EndpointDescription): HeaderName[] {
  return [
    'X-Request-Id',
    ...(endpoint.method === 'get' ? (['ETag'] as const) : []),
    ...(endpoint.paged === undefined ? [] : PAGING_HEADERS),
    ...(endpoint.search === undefined ? [] : (['X-Ignored-Conditions'] as const)),
    'X-Ignored-Parameters',
    ...(takesIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : []),
  ];
}

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The headers of replies, shared by all endpoints. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'The id of the request in the log: the one that was sent, if it is valid, otherwise a new one.',
    schema: text,
  },
  ETag: {
    description:
      'Send it as `If-None-Match` to get 304 if nothing has changed, or as `If-Match` with an update of the record.',
    schema: text,
  },
  'X-Total-Count': { description: 'The total number of matching records.', schema: count },
  'X-Page': { description: 'The page number.', schema: count },
  'X-Per-Page': { description: 'The effective page size.', schema: count },
  'X-Pages': { description: 'The number of pages.', schema: count },
  Link: { description: 'Links to the first, previous, next and last page (RFC 8288).', schema: text },
  'X-Ignored-Conditions': {
    description:
      'The names of conditions and sort fields in `q` that were ignored because they are unknown or exceed a limit, separated by commas.',
    schema: text,
  },
  'X-Ignored-Parameters': {
    description:
      'Paths of ignored parameters, at most 20: unknown ones and fields the caller may not write. Separated by commas.',
    schema: text,
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
    schema: text,
  },
  'RateLimit-Limit': { description: 'How many attempts are allowed; sent with 429.', schema: count },
  'RateLimit-Remaining': { description: 'How many attempts remain; sent with 429.', schema: count },
  'RateLimit-Reset': { description: 'The number of seconds until more attempts are allowed.', schema: count },
  'RateLimit-Policy': {
    description: 'The number of attempts, and the seconds within which they count: `10;w=900`.',
    schema: text,
  },
  'Retry-After': { description: 'The number of seconds after which to retry.', schema: count },
} as const;

type HeaderName = keyof typeof HEADERS;

function buildHeaderRef(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` } as const;
}

const NOT_MODIFIED: ZodOpenApiResponseObject = {
  id: 'NotModified',
  description: 'Nothing has changed since the reply whose `ETag` was sent as `If-None-Match`. No body.',
};

interface Refusal {
  description: string;
  error: string;
  /** Whether the reply has `Retry-After`. */
  isRetryable?: true;
}

const REFUSALS = {
  Unreadable: {
    description: 'The request is malformed, for example invalid JSON.',
    error: 'The request body could not be parsed.',
  },
  NotAuthorized: {
    description: 'The token is invalid, or permission is missing.',
    error: 'You are not authorized to perform that action.',
  },
  Forbidden: {
    description: 'The state of the record does not allow this.',
    error: 'This payment cannot be updated because it is completed.',
  },
  NotFound: {
    description: 'The record does not exist or is not visible.',
    error: 'The resource you were looking for could not be found.',
  },
  Conflict: {
    description: 'Another request is changing the same record. Retry the request.',
    error: 'Another request is changing this record. Please try again.',
    isRetryable: true,
  },
  Changed: {
    description: 'The record does not match the `ETag` in `If-Match`.',
    error: 'The record has changed. Fetch it again.',
  },
  TooLarge: { description: 'The request is too large.', error: 'The request is too large.' },
  TooManyAttempts: {
    description: 'Too many failed attempts, such as wrong passwords. Retry later.',
    error: 'Too many attempts. Please try again later.',
    isRetryable: true,
  },
  Refused: { description: 'Any other client error.', error: 'The request body could not be parsed.' },
  Unavailable: {
    description: 'The service is temporarily unavailable. Retry the request.',
    error: 'The service is temporarily unavailable. Please try again.',
    isRetryable: true,
  },
  Failed: { description: 'An internal error, which is logged.', error: 'Something went wrong.' },
} satisfies Record<string, Refusal>;

const RATE_LIMIT_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
] as const;

const RESPONSES = new Map<string, ZodOpenApiResponseObject>();

/** Returns the response of an error. Always the same object, so that the document contains it once. */
function buildRefusal(kind: keyof typeof REFUSALS): ZodOpenApiResponseObject {
  const existing = RESPONSES.get(kind);
  if (existing !== undefined) return existing;
  const { description, error, isRetryable }: Refusal = REFUSALS[kind];
  const response = {
    id: kind,
    description,
    ...(isRetryable && {
      headers: Object.fromEntries(
        ['Retry-After' as const, ...(kind === 'TooManyAttempts' ? RATE_LIMIT_HEADERS : [])].map((name) => [
          name,
          buildHeaderRef(name),
        ]),
      ),
    }),
    content: { 'application/json': { schema: ErrorJson, example: { error } } },
  };
  RESPONSES.set(kind, response);
  return response;
}

const INVALID: ZodOpenApiResponseObject = {
  id: 'Invalid',
  description: 'The input is invalid, or the state of the record does not allow this.',
  content: {
    'application/json': {
      schema: InvalidJson,
      examples: {
        input: {
          summary: 'Invalid input',
          value: {
            error: 'Invalid resource. Please fix errors and try again.',
            errors: { name: ["can't be blank"] },
          },
        },
        state: {
          summary: 'Not allowed in this state',
          value: {
            error: 'The order could not be transitioned. Please fix the errors and try again.',
            errors: { email: ["can't be blank"] },
          },
        },
        refused: { summary: 'Refused', value: { error: 'Cannot ship shipment.' } },
      },
    },
  },
};

/** Builds the 422 response. An endpoint with its own refusal still returns the usual one for invalid input. */
function buildInvalid({ refusal: own }: EndpointDescription): ZodOpenApiResponseObject {
  if (own === undefined) return INVALID;
  const { description } = INVALID;
  return { description, content: { 'application/json': { schema: z.union([own, InvalidJson]) } } };
}
