import { isRecord, toRecord } from '../../src/platform/parameters';

type Json = Record<string, unknown>;

/** The parts of the OpenAPI document that the pages show. */
export interface ApiDocument {
  tags: readonly { name: string; description: string }[];
  operations: readonly Operation[];
  schemas: Json;
  /** Returns what a `$ref` refers to; other values as they are. */
  resolve: (value: unknown) => Json;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  /** By content type. */
  body: { isRequired: boolean; content: Json } | null;
  responses: Json;
  errorCodes: readonly string[];
}

export interface Parameter {
  in: string;
  name: string;
  description: string;
  required: boolean;
  schema: Json;
  style: string;
  example: unknown;
}

const SCHEMAS = '#/components/schemas/';

/** Returns the name of the schema that a `$ref` refers to; null for other values. */
export function findSchemaName(value: unknown): string | null {
  const reference = toRecord(value)['$ref'];
  return typeof reference === 'string' && reference.startsWith(SCHEMAS)
    ? reference.slice(SCHEMAS.length)
    : null;
}

const toText = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);

/** Reads the OpenAPI document. */
export function readDocument(source: Json): ApiDocument {
  const resolve = (value: unknown): Json => {
    const reference = toRecord(value)['$ref'];
    if (typeof reference !== 'string') return toRecord(value);
    const found = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => toRecord(at)[key], source);
    return resolve(found);
  };
  const operations = Object.entries(toRecord(source['paths'])).flatMap(([path, methods]) =>
    Object.entries(toRecord(methods)).map(([method, value]) =>
      readOperation(path, method, toRecord(value), resolve),
    ),
  );
  return {
    // As `buildDocument` writes them.
    tags: source['tags'] as ApiDocument['tags'],
    operations: [...operations].sort((one, other) => Number(isTemplate(one)) - Number(isTemplate(other))),
    schemas: toRecord(toRecord(source['components'])['schemas']),
    resolve,
  };
}

/** Everyday operations come before those that only describe a form. */
const isTemplate = ({ path }: Operation): boolean => path.endsWith('/new');

function readOperation(
  path: string,
  method: string,
  value: Json,
  resolve: ApiDocument['resolve'],
): Operation {
  const text = (name: string) => toText(value[name]);
  const body = value['requestBody'] === undefined ? null : resolve(value['requestBody']);
  const [tag = ''] = value['tags'] as string[];
  const parameters: unknown[] = Array.isArray(value['parameters']) ? value['parameters'] : [];
  return {
    id: text('operationId'),
    method,
    path,
    tag,
    summary: text('summary').replaceAll('`', ''),
    description: text('description'),
    parameters: parameters.map((one) => readParameter(resolve(one))),
    body: body && { isRequired: body['required'] === true, content: toRecord(body['content']) },
    responses: toRecord(value['responses']),
    errorCodes: value['x-error-codes'] as string[],
  };
}

function readParameter(value: Json): Parameter {
  const schema = toRecord(value['schema']);
  const examples: unknown[] = Array.isArray(schema['examples']) ? schema['examples'] : [];
  return {
    in: String(value['in']),
    name: String(value['name']),
    description: toText(value['description']),
    required: value['required'] === true,
    schema,
    style: toText(value['style'], 'form'),
    example: value['example'] ?? examples[0],
  };
}

/** Returns the type of a schema in words, such as `array of Variant`. */
export function describeType(schema: unknown): string {
  const name = findSchemaName(schema);
  if (name !== null) return name;
  const { type, items, anyOf, enum: values, const: constant, format } = toRecord(schema);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(describeType))].join(' or ');
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  const types: unknown[] = Array.isArray(type) ? type : [type ?? 'any'];
  return types
    .map((one) =>
      one === 'array'
        ? `array of ${describeType(items)}`
        : format === undefined
          ? toText(one)
          : one === 'null'
            ? 'null'
            : toText(format),
    )
    .join(' or ');
}

/** The depth of examples that are made from schemas. */
const DEEPEST = 6;

/**
 * Builds an example of a reply: that of the reference, or one made of the examples and types of its properties. What a reply
 * has only if a parameter asks for it is left out, unless it has an example.
 */
export function buildExample(document: ApiDocument, schema: unknown, depth = 0): unknown {
  const known = document.resolve(schema);
  const { examples, enum: values, const: constant, anyOf, properties, items, type, required } = known;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  if (depth > DEEPEST) return null;
  if (Array.isArray(anyOf)) return buildExample(document, anyOf[0], depth + 1);
  if (isRecord(properties)) {
    const isShown = (name: string, property: unknown): boolean =>
      !Array.isArray(required) || required.includes(name) || 'examples' in document.resolve(property);
    const entries = Object.entries(properties)
      .filter(([name, property]) => isShown(name, property))
      .map(([name, property]) => [name, buildExample(document, property, depth + 1)] as const);
    return Object.fromEntries(entries);
  }
  const [first] = Array.isArray(type) ? (type as unknown[]) : [type];
  if (first === 'array') return [buildExample(document, items, depth + 1)];
  const simple: Record<string, unknown> = {
    string: 'text',
    integer: 1,
    number: 1,
    boolean: true,
    object: {},
  };
  return simple[String(first)] ?? null;
}
