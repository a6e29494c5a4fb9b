import type { CreateDocumentOptions } from 'zod-openapi';

/**
 * Simplifies a JSON schema for readers: removes the bounds of safe integers and patterns of named formats, and replaces
 * `anyOf` with null by `["string", "null"]`. Names values of enums that are no names, for generators of clients.
 */
export const tidySchema: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (isAnyText(jsonSchema.propertyNames)) delete jsonSchema.propertyNames;
  const names = nameValues(jsonSchema.enum);
  if (names !== null) jsonSchema['x-enum-varnames'] = names;
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

const CHARACTERS: Readonly<Record<string, string>> = {
  ',': 'comma',
  '.': 'dot',
  ' ': 'space',
  "'": 'apostrophe',
  '/': 'slash',
  '-': 'dash',
  '*': 'all',
  ':': '',
};

/** Returns names for values that generators could not tell apart, because they omit all but letters and digits; else null. */
function nameValues(values: readonly unknown[] | undefined): string[] | null {
  if (values === undefined) return null;
  const texts = values.filter((value) => typeof value === 'string');
  const plain = new Set(texts.map((text) => text.replace(/\W+/g, '')));
  if (texts.length < values.length || (plain.size === texts.length && !plain.has(''))) return null;
  return texts.map((text) =>
    text
      .split(/(\W)/)
      .map((part) => CHARACTERS[part] ?? part)
      .filter((part) => part !== '')
      .join('_'),
  );
}
