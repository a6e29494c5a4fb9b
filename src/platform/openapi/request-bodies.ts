import { z } from 'zod';
import { createSchema, type oas31, type ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { isRecord, toRecord } from '../parameters';
import type { EndpointDescription } from '../http/endpoint';
import { tidySchema } from './tidy-schema';

type Input = z.ZodType;

/** Builds the request body of an endpoint in all supported content types. */
export function buildRequestBody(
  endpoint: EndpointDescription,
  input: Input,
  example: unknown,
): ZodOpenApiRequestBodyObject {
  const shown = example === undefined ? {} : { example };
  const json = { 'application/json': { schema: input, ...shown } };
  const wrapper = findWrapper(input);
  const form = {
    'application/x-www-form-urlencoded': {
      schema: input,
      ...(wrapper !== null && { encoding: { [wrapper]: { style: 'deepObject', explode: true } as const } }),
    },
  };
  if (endpoint.upload === undefined) return { required: isRequired(input), content: { ...json, ...form } };
  const multipart = {
    'multipart/form-data': { schema: buildUploadSchema(endpoint, endpoint.upload, input) },
  };
  // A create request requires a file, and so does an update that changes nothing else.
  return endpoint.method === 'post' || !hasProperties(input)
    ? { required: true, content: multipart }
    : { required: false, content: { ...multipart, ...json, ...form } };
}

/** Builds the schema of a multipart body: the file, and the other fields in bracket notation. */
function buildUploadSchema({ method }: EndpointDescription, part: string, input: Input): z.ZodType {
  const wrapper = findWrapper(input);
  const { schema } = createSchema(input, { io: 'input', opts: { override: tidySchema } });
  const fields = wrapper === null ? getProperties(schema) : getProperties(getProperties(schema)[wrapper]);
  const properties: Record<string, SchemaObject> = {
    [part]: { type: 'string', format: 'binary', description: 'The file.' },
  };
  for (const [name, field] of Object.entries(fields)) {
    const key = wrapper === null ? name : `${wrapper}[${name}]`;
    if (isRecord(field) && key !== part) properties[key] = field;
  }
  const required = method === 'post' || !hasProperties(input) ? { required: [part] } : {};
  return z.object({}).meta({ override: { type: 'object', properties, ...required } });
}

type SchemaObject = oas31.SchemaObject;

function getProperties(schema: unknown): Record<string, unknown> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  return toRecord(properties);
}

function hasProperties(input: Input): boolean {
  return Object.keys(getProperties(createSchema(input, { io: 'input' }).schema)).length > 0;
}

function findWrapper(input: Input): string | null {
  return 'wrapper' in input && typeof input.wrapper === 'string' ? input.wrapper : null;
}

/** Returns whether the body is required. Its fields may also be sent in the query. */
function isRequired(input: Input): boolean {
  return !input.safeParse({}).success;
}
