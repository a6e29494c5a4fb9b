import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { EndpointDescription, Route } from '../http/endpoint';
import { listParameters } from './list-parameters';
import { operationId } from './operation-id';
import { plainDocument } from './plain-document';
import { exampleMadeBy, pathExamples, queryExamples } from './parameter-examples';
import type { AccessText, ApiReference, ParameterExample } from './reference';
import { HEADERS, responsesOf } from './replies';
import { requestBodyOf } from './request-bodies';
import { headerParameters } from './request-headers';
import { tidySchema } from './tidy-schema';

/**
 * The OpenAPI 3.1 document of these endpoints: the same schemas that validate, so it cannot disagree with the code;
 * `reference` adds what only people can tell.
 */
export function apiDocument(
  endpoints: readonly EndpointDescription[],
  reference: ApiReference,
): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  const exampleFor = requestExamples(endpoints, reference);
  for (const endpoint of endpoints) {
    const path = documentPath(endpoint.path);
    for (const method of methodsOf(endpoint)) {
      paths[path] = { ...paths[path], [method]: operation({ endpoint, method, reference, exampleFor }) };
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
        schemas: bodySchemas(endpoints),
      },
      paths,
    },
    { override: tidySchema },
  );
  return plainDocument(document, reference.replyExamples);
}

/** `/products/:id` as the document spells it: `/api/v1/products/{id}`. */
export function documentPath(path: string): string {
  return `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
}

/** PATCH is routed wherever PUT is. */
function methodsOf(endpoint: EndpointDescription): readonly ('get' | 'post' | 'put' | 'patch' | 'delete')[] {
  return endpoint.method === 'put' ? ['put', 'patch'] : [endpoint.method];
}

interface OperationSource {
  endpoint: EndpointDescription;
  method: string;
  reference: ApiReference;
  exampleFor: (endpoint: EndpointDescription) => unknown;
}

function operation({ endpoint, method, reference, exampleFor }: OperationSource): ZodOpenApiOperationObject {
  const access = accessText(endpoint, reference);
  const params = endpoint.params && pathOf(endpoint, endpoint.params.shape, reference);
  const query = queryOf(endpoint, reference);
  const { input } = endpoint;
  return {
    tags: [endpoint.tag],
    operationId: operationId(method, endpoint.path),
    summary: endpoint.summary,
    description: descriptionOf(endpoint, method, reference),
    security: [...access.security],
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      header: headerParameters(endpoint),
    },
    ...(input !== undefined &&
      method !== 'get' && {
        requestBody: requestBodyOf(endpoint, input, exampleFor(endpoint)),
      }),
    responses: responsesOf(endpoint, access, reference.rareRefusals[endpoint.route]),
  };
}

/** @throws Error when the reference has no text for the endpoint's access */
function accessText({ route, access }: EndpointDescription, reference: ApiReference): AccessText {
  const text = reference.access[access];
  if (text === undefined) throw new Error(`${route}: the reference has no text for the access ${access}`);
  return text;
}

function descriptionOf(endpoint: EndpointDescription, method: string, reference: ApiReference): string {
  const maker = exampleMadeBy(endpoint, reference.parameterExamples);
  return [
    accessText(endpoint, reference).words,
    endpoint.description,
    method === 'patch' ? 'The same as PUT.' : undefined,
    maker === undefined ? undefined : `The example is of what the example of ${documentRoute(maker)} makes.`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

function documentRoute(route: Route): string {
  const [method = '', path = ''] = route.split(' ');
  return `\`${method.toUpperCase()} ${documentPath(path)}\``;
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

function pathOf(
  endpoint: EndpointDescription,
  shape: z.ZodRawShape,
  { parameters, parameterExamples }: ApiReference,
): z.ZodObject {
  return described(shape, parameters.path, pathExamples(endpoint, parameterExamples));
}

function queryOf(
  endpoint: EndpointDescription,
  { parameters, parameterExamples }: ApiReference,
): z.ZodObject | null {
  const listing = endpoint.search === undefined ? {} : listParameters(endpoint.search);
  const shape = { ...endpoint.query?.shape, ...listing };
  if (Object.keys(shape).length === 0) return null;
  return described(shape, parameters.query, queryExamples(endpoint, parameterExamples));
}

/** The same parameters, with examples; those whose schema says nothing of them have the common words. */
function described(
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
function bodySchemas(endpoints: readonly EndpointDescription[]): Record<string, z.ZodType> {
  const names = new Map<z.ZodType, string>();
  for (const { input, method, path, upload } of endpoints) {
    if (input === undefined || names.has(input)) continue;
    // The body of such a one is multipart alone, which has a schema of its own.
    if (upload !== undefined && method === 'post') continue;
    const id = operationId(method, path);
    names.set(input, `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`);
  }
  return Object.fromEntries([...names].map(([schema, name]) => [name, schema]));
}
