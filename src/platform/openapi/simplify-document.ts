import { isRecord, toRecord } from '../parameters';

const SCHEMAS = '#/components/schemas/';

/**
 * Converts the document to the JSON that is published: schemas with generated names are inlined, unused schemas are
 * removed, `examples` are added to the schemas with their names, and parameters of the query cannot be null.
 * @throws Error if an example has no schema
 */
export function simplifyDocument(
  document: object,
  examples: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const source: unknown = JSON.parse(JSON.stringify(document));
  const plain = inlineGenerated(source, getSchemas(source));
  if (!isRecord(plain)) throw new Error('the document is not an object');
  const schemas = getSchemas(plain);
  for (const [id, example] of Object.entries(examples)) {
    const schema = schemas[id];
    if (!isRecord(schema)) throw new Error(`the example ${id} has no schema`);
    schema['examples'] = [example];
  }
  for (const operations of Object.values(toRecord(plain['paths']))) {
    for (const operation of Object.values(toRecord(operations))) tidyQuery(toRecord(operation)['parameters']);
  }
  const text = JSON.stringify(plain);
  for (const id of Object.keys(schemas)) {
    if (!text.includes(`"${SCHEMAS}${id}"`)) delete schemas[id];
  }
  return plain;
}

function getSchemas(document: unknown): Record<string, unknown> {
  const components = isRecord(document) ? document['components'] : undefined;
  const schemas = isRecord(components) ? components['schemas'] : undefined;
  return toRecord(schemas);
}

/** Inlines schemas with generated names. They refer only to named schemas, so the recursion ends. */
function inlineGenerated(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => inlineGenerated(entry, schemas));
  if (!isRecord(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string' && reference.startsWith(`${SCHEMAS}__schema`)) {
    return inlineGenerated(schemas[reference.slice(SCHEMAS.length)], schemas);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, inlineGenerated(entry, schemas)]),
  );
}

/**
 * Simplifies the schemas of query parameters. None of them is null in a URL, and a list that is sent as a text or an
 * object has no entries.
 */
function tidyQuery(parameters: unknown): void {
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    if (!isRecord(parameter) || parameter['in'] !== 'query') continue;
    const { type, anyOf, items, ...rest } = toRecord(parameter['schema']);
    const types = withoutNull(type);
    const options = withoutNull(anyOf);
    parameter['schema'] = {
      ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
      ...(options.length > 1 ? { anyOf: options } : toRecord(options[0])),
      ...(types.includes('array') && { items }),
      ...rest,
    };
  }
}

/** Returns the entries of a `type` or an `anyOf` except null. */
function withoutNull(entries: unknown): unknown[] {
  const all: unknown[] = Array.isArray(entries) ? entries : entries === undefined ? [] : [entries];
  return all.filter((entry) => entry !== 'null' && toRecord(entry)['type'] !== 'null');
}
