import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import type { Access } from '../../policy';
import { policy } from '../../policy';
import type { Endpoint } from '../http/endpoint';
import { envelopeSchema } from '../http/envelope';
import { describeApi, ERROR_DESCRIPTIONS } from './prose';

const ErrorJson = z
  .object({ error: z.string() })
  .meta({ id: 'Error', examples: [{ error: 'The resource you were looking for could not be found.' }] });

const InvalidJson = z
  .object({
    error: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional().meta({ description: 'Messages by field.' }),
  })
  .meta({
    id: 'InvalidResource',
    examples: [
      { error: 'Invalid resource. Please fix errors and try again.', errors: { name: ["can't be blank"] } },
    ],
  });

/** The OpenAPI 3.1 document of these endpoints: the same schemas that validate, so it cannot disagree with the code. */
export function apiDocument(endpoints: readonly Endpoint[]): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = documentPath(endpoint.path);
    const operations = endpoint.method === 'put' ? (['put', 'patch'] as const) : ([endpoint.method] as const);
    for (const method of operations) {
      paths[path] = { ...paths[path], [method]: operation(endpoint, method) };
    }
  }
  // The document is plain JSON; its typed form is of no use to those who serve or compare it.
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Store API', version: '1', description: describeApi() },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Store-Token', description: "A user's API token." },
        orderToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Order-Token',
          description: "An order's `token`.",
        },
      },
    },
    paths,
  }) as unknown as Record<string, unknown>;
}

/** `/products/:id` as the document spells it: `/api/v1/products/{id}`. */
export function documentPath(path: string): string {
  return `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
}

function operation(endpoint: Endpoint, method: string): ZodOpenApiOperationObject {
  const access: Access = policy[endpoint.route];
  const hasParams = endpoint.params !== undefined;
  const query = queryOf(endpoint);
  return {
    tags: [endpoint.tag],
    operationId: operationId(method, endpoint.path),
    summary: endpoint.summary,
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    security: SECURITY[access],
    ...((hasParams || query !== null) && {
      requestParams: { ...(endpoint.params && { path: endpoint.params }), ...(query && { query }) },
    }),
    ...(endpoint.input !== undefined &&
      method !== 'get' && { requestBody: requestBody(endpoint, endpoint.input) }),
    responses: responses(endpoint, access),
  };
}

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  anyone: [{}, { token: [] }],
  signed_in: [{ token: [] }],
  admin: [{ token: [] }],
  self: [{ token: [] }],
  order: [{ token: [] }, { orderToken: [] }],
};

function operationId(method: string, path: string): string {
  const words = path.split(/[/:._]+/).filter((word) => word !== '');
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

function queryOf(endpoint: Endpoint): z.ZodObject | null {
  const listing: z.ZodRawShape =
    endpoint.search === undefined ? {} : listParameters(endpoint.search.perPage ?? 25);
  const shape = { ...(endpoint.query?.shape ?? {}), ...listing };
  return Object.keys(shape).length === 0 ? null : z.object(shape);
}

function listParameters(perPage: number): z.ZodRawShape {
  return {
    page: z.int().min(1).optional().meta({ description: 'The page number, from 1.' }),
    per_page: z
      .int()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: `Records per page, ${perPage} unless told.` }),
    q: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          'Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> <asc or desc>`.',
        param: { style: 'deepObject', explode: true },
        examples: [{ s: 'id desc' }],
      }),
  };
}

function requestBody(endpoint: Endpoint, input: z.ZodType): ZodOpenApiRequestBodyObject {
  const content =
    endpoint.upload === undefined
      ? { 'application/json': { schema: input }, 'application/x-www-form-urlencoded': { schema: input } }
      : { 'multipart/form-data': { schema: uploadSchema(endpoint.upload) } };
  return { required: false, content };
}

function uploadSchema(part: string): z.ZodType {
  return z.object({
    [part]: z
      .string()
      .optional()
      .meta({ override: { type: 'string', format: 'binary' } }),
    type: z
      .string()
      .optional()
      .meta({ description: 'Taken for compatibility; the type is read from the bytes.' }),
    'image[alt]': z.string().optional(),
    'image[position]': z.int().optional(),
    'image[viewable_id]': z.int().optional(),
  });
}

function responses(endpoint: Endpoint, access: Access): NonNullable<ZodOpenApiOperationObject['responses']> {
  const reply = endpoint.paged === undefined ? endpoint.reply : envelopeSchema(endpoint.paged);
  const failing = (description: string, schema: z.ZodType) => ({
    description,
    content: { 'application/json': { schema } },
  });
  return {
    ...(reply !== undefined && {
      [String(endpoint.status)]: {
        description: 'Success.',
        content: { 'application/json': { schema: reply } },
      },
    }),
    ...((reply === undefined || endpoint.status === 204) && {
      '204': { description: 'Success, without a body.' },
    }),
    '401': failing(ERROR_DESCRIPTIONS[401], ErrorJson),
    ...((endpoint.path.includes(':') || access === 'self') && {
      '404': failing(ERROR_DESCRIPTIONS[404], ErrorJson),
    }),
    ...(endpoint.method !== 'get' && { '422': failing(ERROR_DESCRIPTIONS[422], InvalidJson) }),
    '4XX': failing('Any other refusal: too large, too many attempts, conflicting changes.', ErrorJson),
    '5XX': failing(ERROR_DESCRIPTIONS[503], ErrorJson),
  };
}
