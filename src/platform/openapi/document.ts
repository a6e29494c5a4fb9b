import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { EndpointDescription, Route } from '../http/endpoint';
import { buildListParameters } from './list-parameters';
import { buildOperationId } from './operation-id';
import { simplifyDocument } from './simplify-document';
import { findExampleSource, findPathExamples, findQueryExamples } from './parameter-examples';
import type { AccessText, ApiReference, ParameterExample } from './reference';
import { HEADERS, buildResponses } from './replies';
import { buildRequestBody } from './request-bodies';
import { tidySchema } from './tidy-schema';

/**
 * The OpenAPI 3.1 document of these endpoints: the same schemas that validate, so it cannot disagree with the code;
 * `reference` adds what only people can tell.
 */
export function buildDocument(
  endpoints: readonly EndpointDescription[],
  reference: ApiReference,
): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  const exampleFor = requestExamples(endpoints, reference);
  for (const endpoint of endpoints) {
    const path = toDocumentPath(endpoint.path);
    for (const method of listMethods(endpoint)) {
      paths[path] = { ...paths[path], [method]: buildOperation({ endpoint, method, reference, exampleFor }) };
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: reference.title,
        version: '1',
        description: reference.introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [{}, { token: [] }],
      tags: [...reference.tags],
      components: {
        securitySchemes: { ...reference.securitySchemes },
        headers: HEADERS,
        schemas: nameBodySchemas(endpoints),
      },
      paths,
    },
    { override: tidySchema },
  );
  return simplifyDocument(document, reference.replyExamples);
}

/** `/products/:id` as the document spells it: `/api/v1/products/{id}`. */
export function toDocumentPath(path: string): string {
  return `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
}

/** PATCH is routed wherever PUT is. */
function listMethods(
  endpoint: EndpointDescription,
): readonly ('get' | 'post' | 'put' | 'patch' | 'delete')[] {
  return endpoint.method === 'put' ? ['put', 'patch'] : [endpoint.method];
}

interface OperationSource {
  endpoint: EndpointDescription;
  method: string;
  reference: ApiReference;
  exampleFor: (endpoint: EndpointDescription) => unknown;
}

function buildOperation({
  endpoint,
  method,
  reference,
  exampleFor,
}: OperationSource): ZodOpenApiOperationObject {
  const access = getAccessText(endpoint, reference);
  const params = endpoint.params && buildPathParameters(endpoint, endpoint.params.shape, reference);
  const query = buildQueryParameters(endpoint, reference);
  const { input } = endpoint;
  return {
    tags: [endpoint.tag],
    operationId: buildOperationId(method, endpoint.path),
    summary: endpoint.summary,
    description: buildDescription(endpoint, method, reference),
    security: [...access.security],
    ...((params !== undefined || query !== null) && {
      requestParams: { ...(params && { path: params }), ...(query && { query }) },
    }),
    ...(input !== undefined &&
      method !== 'get' && {
        requestBody: buildRequestBody(endpoint, input, exampleFor(endpoint)),
      }),
    responses: buildResponses(endpoint, access, reference.rareRefusals[endpoint.route]),
  };
}

/** @throws Error when the reference has no text for the endpoint's access */
function getAccessText({ route, access }: EndpointDescription, reference: ApiReference): AccessText {
  const text = reference.access[access];
  if (text === undefined) throw new Error(`${route}: the reference has no text for the access ${access}`);
  return text;
}

function buildDescription(endpoint: EndpointDescription, method: string, reference: ApiReference): string {
  const maker = findExampleSource(endpoint, reference.parameterExamples);
  return [
    getAccessText(endpoint, reference).words,
    endpoint.description,
    method === 'patch' ? 'The same as PUT.' : undefined,
    maker === undefined ? undefined : `The example is of what the example of ${formatRoute(maker)} makes.`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

function formatRoute(route: Route): string {
  const [method = '', path = ''] = route.split(' ');
  return `\`${method.toUpperCase()} ${toDocumentPath(path)}\``;
}

/** An endpoint's own example, else that of another one that takes the same body. */
function requestExamples(
  endpoints: readonly EndpointDescription[],
  { requestExamples: own }: ApiReference,
): OperationSource['exampleFor'] {
  const byInput = new Map<unknown, unknown>();
  for (const { input, route } of endpoints) {
    if (own[route] !== undefined && !byInput.has(input)) byInput.set(input, own[route]);
  }
  return ({ route, input }) => own[route] ?? byInput.get(input);
}

function buildPathParameters(
  endpoint: EndpointDescription,
  shape: z.ZodRawShape,
  { parameters, parameterExamples }: ApiReference,
): z.ZodObject {
  return describeParameters(shape, parameters.path, findPathExamples(endpoint, parameterExamples));
}

function buildQueryParameters(
  endpoint: EndpointDescription,
  { parameters, parameterExamples }: ApiReference,
): z.ZodObject | null {
  const listing = endpoint.search === undefined ? {} : buildListParameters(endpoint.search);
  const shape = { ...endpoint.query?.shape, ...listing };
  if (Object.keys(shape).length === 0) return null;
  return describeParameters(shape, parameters.query, findQueryExamples(endpoint, parameterExamples));
}

/** The same parameters, with examples; those whose schema says nothing of them have the common words. */
function describeParameters(
  shape: z.ZodRawShape,
  words: Readonly<Record<string, string>>,
  examples: Readonly<Record<string, ParameterExample>>,
): z.ZodObject {
  const entries = Object.entries(shape).map(([name, schema]) => {
    if (!(schema instanceof z.ZodType)) return [name, schema] as const;
    const known = schema.meta();
    const description = known?.description ?? words[name];
    const example = examples[name];
    const told = {
      ...(description !== undefined && { description }),
      ...(example !== undefined && { param: { example } }),
    };
    return [name, schema.meta({ ...known, ...told })] as const;
  });
  return z.object(Object.fromEntries(entries));
}

/** Bodies by name, so that JSON and form, PUT and PATCH, share one; the first endpoint that takes it names it. */
function nameBodySchemas(endpoints: readonly EndpointDescription[]): Record<string, z.ZodType> {
  const names = new Map<z.ZodType, string>();
  for (const { input, method, path, upload } of endpoints) {
    if (input === undefined || names.has(input)) continue;
    // The body of such a one is multipart alone, which has a schema of its own.
    if (upload !== undefined && method === 'post') continue;
    const id = buildOperationId(method, path);
    names.set(input, `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`);
  }
  return Object.fromEntries([...names].map(([schema, name]) => [name, schema]));
}
