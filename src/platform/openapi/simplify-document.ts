import { isRecord, toRecord } from '../http/parameters';

const SCHEMAS = '#/components/schemas/';

/**
 * The document as the JSON it is published as: schemas the generator had to make up names for stand where they are used,
 * those nothing refers to are left out, and `examples` stand beside the schemas they are named after.
 * @throws Error for an example without a schema
 */
export function simplifyDocument(
  document: object,
  examples: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const made: unknown = JSON.parse(JSON.stringify(document));
  const plain = inlineGenerated(made, getSchemas(made));
  if (!isRecord(plain)) throw new Error('a document is an object');
  const schemas = getSchemas(plain);
  for (const [id, example] of Object.entries(examples)) {
    const schema = schemas[id];
    if (!isRecord(schema)) throw new Error(`the example ${id} belongs to no schema`);
    schema['examples'] = [example];
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

/** Made-up names are given to schemas that refer to a named one; those refer no further, so this ends. */
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
