import type { CreateDocumentOptions } from 'zod-openapi';

/**
 * Simplifies a JSON schema for readers: removes the bounds of safe integers and patterns of named formats, and replaces
 * `anyOf` with null by `["string", "null"]`.
 */
export const tidySchema: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (isAnyText(jsonSchema.propertyNames)) delete jsonSchema.propertyNames;
  const [only, second, ...more] = jsonSchema.anyOf ?? [];
  const simple = isPlain(only) && typeof only.type === 'string' && isPlain(second) && second.type === 'null';
  if (simple && more.length === 0 && only.enum === undefined) {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, only, { type: [only.type, 'null'] });
  }
};

type Schema = Parameters<typeof tidySchema>[0]['jsonSchema'];

function isPlain(schema: unknown): schema is Schema {
  return typeof schema === 'object' && schema !== null && !('$ref' in schema);
}

function isAnyText(schema: unknown): boolean {
  return isPlain(schema) && JSON.stringify(schema) === '{"type":"string"}';
}
