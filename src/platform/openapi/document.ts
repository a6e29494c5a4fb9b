import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { EndpointDescription, Route } from '../http/endpoint';
import { toRecord } from '../parameters';
import { buildListParameters } from './list-parameters';
import { buildOperationId } from './operation-id';
import { describeProperties } from './describe-properties';
import { listErrorCodes } from './operation-errors';
import { simplifyDocument } from './simplify-document';
import { findExampleSource, findPathExamples, findQueryExamples } from './parameter-examples';
import type { AccessText, ApiReference, ParameterExample } from './reference';
import { HEADERS, buildRefusals, buildResponses, type Refusals } from './replies';
import { buildRequestBody } from './request-bodies';
import { buildHeaderParameters } from './request-headers';
import { tidySchema } from './tidy-schema';

/**
 * Builds the OpenAPI 3.1 document of the endpoints from the schemas that also validate requests. `reference` adds texts
 * and examples.
 */
export function buildDocument(
  endpoints: readonly EndpointDescription[],
  reference: ApiReference,
): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  const exampleFor = buildRequestExamples(endpoints, reference);
  const refusals = buildRefusals(reference.refusalExamples);
  for (const endpoint of endpoints) {
    if (endpoint.sameAs !== undefined) continue;
    const path = toDocumentPath(endpoint.path);
    const aliases = listAliases(endpoint, endpoints);
    paths[path] = {
      ...paths[path],
      [endpoint.method]: buildOperation({ endpoint, aliases, reference, exampleFor, refusals }),
    };
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
  const simplified = simplifyDocument(document, reference.replyExamples);
  describeProperties(simplified, reference.properties);
  return simplified;
}

/** Converts `/products/:id` to the form of the document: `/api/v1/products/{id}`. */
export function toDocumentPath(path: string): string {
  return `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
}

/**
 * Lists the operations that are the same as the endpoint, as `PATCH /api/v1/...`: a PUT endpoint also handles PATCH,
 * and other paths may lead to it.
 */
function listAliases(endpoint: EndpointDescription, endpoints: readonly EndpointDescription[]): string[] {
  const same = endpoints.filter(({ sameAs }) => sameAs?.route === endpoint.route);
  return [endpoint, ...same].flatMap(({ method, path }) =>
    (method === 'put' ? ['put', 'patch'] : [method])
      .map((verb) => `${verb.toUpperCase()} ${toDocumentPath(path)}`)
      .filter((operation) => operation !== formatOperation(endpoint.route)),
  );
}

interface OperationSource {
  endpoint: EndpointDescription;
  aliases: string[];
  reference: ApiReference;
  exampleFor: (endpoint: EndpointDescription) => unknown;
  refusals: Refusals;
}

function buildOperation({
  endpoint,
  aliases,
  reference,
  exampleFor,
  refusals,
}: OperationSource): ZodOpenApiOperationObject {
  const { method } = endpoint;
  const codes = listErrorCodes(endpoint, reference.errorCodes[endpoint.route] ?? []);
  const access = getAccessText(endpoint, reference);
  const params = endpoint.params && buildPathParameters(endpoint, endpoint.params.shape, reference);
  const query = buildQueryParameters(endpoint, reference);
  const { input } = endpoint;
  return {
    tags: [endpoint.tag],
    operationId: buildOperationId(method, endpoint.path),
    summary: endpoint.summary,
    description: buildDescription(endpoint, aliases, reference),
    ...(aliases.length > 0 && { 'x-aliases': aliases }),
    'x-error-codes': codes,
    security: [...access.security],
    'x-scope': endpoint.scope,
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      header: buildHeaderParameters(endpoint),
    },
    ...(input !== undefined &&
      method !== 'get' && {
        requestBody: buildRequestBody(endpoint, input, exampleFor(endpoint)),
      }),
    responses: buildResponses(endpoint, {
      access,
      statuses: new Set(codes.map((code) => reference.errorStatuses[code]?.status)),
      refusals,
    }),
  };
}

/** Returns the text for the endpoint's access. @throws Error if the reference has none */
function getAccessText({ route, access }: EndpointDescription, reference: ApiReference): AccessText {
  const text = reference.access[access];
  if (text === undefined) throw new Error(`${route}: the reference has no text for the access ${access}`);
  return text;
}

function buildDescription(
  endpoint: EndpointDescription,
  aliases: readonly string[],
  reference: ApiReference,
): string {
  const codes = listErrorCodes(endpoint, reference.errorCodes[endpoint.route] ?? []);
  const source = findExampleSource(endpoint, reference.parameterExamples);
  return [
    [getAccessText(endpoint, reference).words, describeScope(endpoint)].join(' ').trim(),
    endpoint.description,
    `Errors: ${codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')}.`,
    aliases.length === 0 ? undefined : `Same as: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`,
    source === undefined
      ? undefined
      : `The example uses the record that the example of \`${formatOperation(source)}\` creates.`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

/** Returns the sentence about the scope of the endpoint; empty if every token may call it. */
function describeScope({ scope }: EndpointDescription): string {
  return scope.includes(':') ? `Scope: \`${scope.replace(' or ', '` or `')}\`.` : '';
}

function formatOperation(route: Route): string {
  const [method = '', path = ''] = route.split(' ');
  return `${method.toUpperCase()} ${toDocumentPath(path)}`;
}

/** Returns the request example of an endpoint, or else that of another endpoint with the same body. */
function buildRequestExamples(
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
  const listing =
    endpoint.search === undefined
      ? {}
      : buildListParameters(endpoint.search, {
          isFeed: endpoint.feed === true,
          isFile: endpoint.file !== undefined,
        });
  const shape = { ...endpoint.query?.shape, ...listing };
  if (Object.keys(shape).length === 0) return null;
  return describeParameters(shape, parameters.query, findQueryExamples(endpoint, parameterExamples));
}

/** Adds examples to the parameters, and the common descriptions to those without their own. */
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
    const additions = {
      // zod leaves out the examples of parameters that it converts.
      ...(known?.examples !== undefined && {
        override: { ...toRecord(known['override']), examples: known.examples },
      }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { param: { ...toRecord(known?.['param']), example } }),
    };
    return [name, schema.meta({ ...known, ...additions })] as const;
  });
  return z.object(Object.fromEntries(entries));
}

/**
 * Names the body schemas, so that JSON and form, and PUT and PATCH, share one. The first endpoint with a body names it.
 */
function nameBodySchemas(endpoints: readonly EndpointDescription[]): Record<string, z.ZodType> {
  const names = new Map<z.ZodType, string>();
  for (const { input, method, path, upload } of endpoints) {
    if (input === undefined || names.has(input)) continue;
    // This body is only multipart, which has a separate schema.
    if (upload !== undefined && method === 'post') continue;
    const id = buildOperationId(method, path);
    names.set(input, `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`);
  }
  return Object.fromEntries([...names].map(([schema, name]) => [name, schema]));
}
