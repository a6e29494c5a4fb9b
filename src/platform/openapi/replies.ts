import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { EndpointDescription } from '../http/endpoint';
import { buildEnvelopeSchema } from '../http/envelope';
import type { AccessText, RareStatus } from './reference';

const ErrorJson = z.object({ error: z.string() }).meta({ id: 'ErrorReply' });

const InvalidJson = z
  .object({
    error: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional().meta({
      description: 'Messages by field; those of nested records have dotted keys, those of the whole `base`.',
    }),
  })
  .meta({ id: 'InvalidResource' });

type Responses = NonNullable<ZodOpenApiOperationObject['responses']>;

/** Everything an endpoint may answer: its reply with the headers that come along, and its refusals. */
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
    ...(writes && {
      '409': buildRefusal('Conflict'),
      '413': buildRefusal('TooLarge'),
      '422': buildInvalid(endpoint),
    }),
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
  const nothing = { '204': { description: 'Done. No body.', ...headers } };
  if (reply === undefined || endpoint.status === 204) return nothing;
  const description =
    endpoint.status === 201 ? 'Created.' : endpoint.paged === undefined ? 'As asked.' : 'One page.';
  return {
    [String(endpoint.status)]: {
      description,
      ...headers,
      content: { 'application/json': { schema: reply } },
    },
    ...(endpoint.mayBeEmpty === true && nothing),
  };
}

const PAGING_HEADERS = ['X-Total-Count', 'X-Page', 'X-Per-Page', 'X-Pages', 'Link'] as const;

function listHeaders(endpoint: EndpointDescription): HeaderName[] {
  return [
    'X-Request-Id',
    ...(endpoint.method === 'get' ? (['ETag'] as const) : []),
    ...(endpoint.paged === undefined ? [] : PAGING_HEADERS),
    ...(endpoint.search === undefined ? [] : (['X-Ignored-Conditions'] as const)),
  ];
}

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The headers replies may carry, once for all of them. */
export const HEADERS = {
  'X-Request-Id': {
    description: "The request's own, when it was sent and is sound, else a new one; it stands in the log.",
    schema: text,
  },
  ETag: { description: 'Send it back as `If-None-Match` to be told 304 when nothing changed.', schema: text },
  'X-Total-Count': { description: 'Records that match in all.', schema: count },
  'X-Page': { description: 'The page answered.', schema: count },
  'X-Per-Page': { description: 'The effective page size.', schema: count },
  'X-Pages': { description: 'How many pages there are.', schema: count },
  Link: { description: 'RFC 8288: the first, prev, next and last page.', schema: text },
  'X-Ignored-Conditions': {
    description:
      'Names of conditions and sort fields in `q` that mean nothing here, or are too many, and were left out; separated by commas.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds after which to repeat the request.', schema: count },
} as const;

type HeaderName = keyof typeof HEADERS;

function buildHeaderRef(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` } as const;
}

const NOT_MODIFIED: ZodOpenApiResponseObject = {
  id: 'NotModified',
  description: 'Nothing has changed since the reply whose `ETag` came as `If-None-Match`. No body.',
};

interface Refusal {
  description: string;
  error: string;
  /** Whether it tells when to repeat. */
  again?: true;
}

const REFUSALS = {
  Unreadable: {
    description: 'The request cannot be read: malformed JSON, for instance.',
    error: 'The request body could not be parsed.',
  },
  NotAuthorized: {
    description: 'The token is unknown, or the caller may not do this.',
    error: 'You are not authorized to perform that action.',
  },
  Forbidden: {
    description: 'The state of the record forbids it.',
    error: 'This payment cannot be updated because it is completed.',
  },
  NotFound: {
    description: 'There is no such record, or the caller may not know of it.',
    error: 'The resource you were looking for could not be found.',
  },
  Conflict: {
    description: 'Another request is changing the same record. Repeat it.',
    error: 'Another request is changing this record. Please try again.',
    again: true,
  },
  TooLarge: { description: 'More was sent than is accepted.', error: 'The request is too large.' },
  TooManyAttempts: {
    description: 'Too many wrong passwords. Repeat it later.',
    error: 'Too many attempts. Please try again later.',
    again: true,
  },
  Refused: { description: 'Any other refusal.', error: 'The request body could not be parsed.' },
  Unavailable: {
    description: 'The service cannot answer now. Repeat it.',
    error: 'The service is temporarily unavailable. Please try again.',
    again: true,
  },
  Failed: { description: 'A fault of the service; it is in its log.', error: 'Something went wrong.' },
} satisfies Record<string, Refusal>;

const MADE = new Map<string, ZodOpenApiResponseObject>();

/** One object for each kind, so that the document holds it once. */
function buildRefusal(kind: keyof typeof REFUSALS): ZodOpenApiResponseObject {
  const made = MADE.get(kind);
  if (made !== undefined) return made;
  const { description, error, again }: Refusal = REFUSALS[kind];
  const response = {
    id: kind,
    description,
    ...(again && { headers: { 'Retry-After': buildHeaderRef('Retry-After') } }),
    content: { 'application/json': { schema: ErrorJson, example: { error } } },
  };
  MADE.set(kind, response);
  return response;
}

const INVALID: ZodOpenApiResponseObject = {
  id: 'Invalid',
  description: 'The input is invalid, or the state of the record forbids it.',
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
          summary: 'Not possible in this state',
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

/** An endpoint with a refusal of its own still answers the usual one to what is wrong with its input. */
function buildInvalid({ refusal: own }: EndpointDescription): ZodOpenApiResponseObject {
  if (own === undefined) return INVALID;
  const { description } = INVALID;
  return { description, content: { 'application/json': { schema: z.union([own, InvalidJson]) } } };
}
