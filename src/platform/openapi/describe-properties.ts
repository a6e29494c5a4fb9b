import { isRecord } from '../parameters';

/** Adds the descriptions `words` to the properties of the document that have none, by their name. */
export function describeProperties(document: unknown, words: Readonly<Record<string, string>>): void {
  visitProperties(document, (name, schema) => {
    const description = words[name];
    if (schema['description'] === undefined && description !== undefined) schema['description'] = description;
  });
}

/** Lists the properties of the document without a description, as `Order.number` or by their path in the document. */
export function listUndescribed(document: unknown): string[] {
  const missing: string[] = [];
  visitProperties(document, (name, schema, path) => {
    if (schema['description'] === undefined) missing.push(`${path}.${name}`);
  });
  return missing;
}

type Visit = (name: string, schema: Record<string, unknown>, path: string) => void;

/** Keys whose values are data, in which `properties` is a name like any other. */
const DATA = ['example', 'examples', 'const', 'enum', 'default'];

function visitProperties(value: unknown, visit: Visit, path = ''): void {
  if (Array.isArray(value))
    for (const [index, entry] of value.entries()) visitProperties(entry, visit, `${path}.${index}`);
  if (!isRecord(value)) return;
  for (const [key, entry] of Object.entries(value)) {
    if (DATA.includes(key)) continue;
    if (key !== 'properties' || !isRecord(entry)) {
      visitProperties(entry, visit, path === '' ? key : `${path}.${key}`);
      continue;
    }
    for (const [name, schema] of Object.entries(entry)) {
      if (isRecord(schema)) visit(name, schema, path);
      visitProperties(schema, visit, `${path}.${name}`);
    }
  }
}
