import type { CreateDocumentOptions } from 'zod-openapi';

/**
 * Says in the document what a reader wants to know, and not how it is checked: no bounds that only mean "a number
 * JavaScript can hold", no page-long pattern where the format is named, `["string", "null"]` in place of a choice of two.
 */
export const tidySchema: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (isAnyText(jsonSchema.propertyNames)) delete jsonSchema.propertyNames;
  const [only, nothing, ...more] = jsonSchema.anyOf ?? [];
  const simple =
    isPlain(only) && typeof only.type === 'string' && isPlain(nothing) && nothing.type === 'null';
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
