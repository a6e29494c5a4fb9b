import fc from 'fast-check';
import { garbage } from './garbage';

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Ids of existing records by field name: `variant_id`, `country_id`. */
export type Known = Readonly<Record<string, readonly (string | number)[]>>;

const ABSENT = Symbol('absent');

/**
 * Returns a function that builds valid bodies for a schema, so that one invalid value is not hidden by other errors.
 */
export function createSampler(schemas: Record<string, JsonSchema>, known: Known) {
  const resolve = (schema: JsonSchema): JsonSchema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (schemas[name] ?? {});
  };

  const sampleOf = (given: JsonSchema, name: string, depth: number): fc.Arbitrary<unknown> => {
    const schema = resolve(given);
    const ids = known[name];
    if (ids !== undefined) return fc.constantFrom(...ids);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.const !== undefined) return fc.constant(schema.const);
    const options = schema.anyOf ?? schema.oneOf;
    if (options !== undefined && options.length > 0) {
      return fc.oneof(...options.map((option) => sampleOf(option, name, depth)));
    }
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    if (schema.properties !== undefined || type === 'object') return objectOf(schema, depth);
    if (type === 'array') {
      return depth > 4
        ? fc.constant([])
        : fc.array(sampleOf(schema.items ?? {}, name, depth + 1), { maxLength: 2 });
    }
    return leafOf(type, name);
  };

  const objectOf = (schema: JsonSchema, depth: number): fc.Arbitrary<unknown> => {
    if (depth > 4) return fc.constant({});
    const properties = Object.entries(schema.properties ?? {});
    // Few of many attributes are sent; otherwise nearly every body would contain a refused one.
    const absent = properties.length > 4 ? properties.length / 2 : 1;
    const fields = properties.map(
      ([name, property]) =>
        [
          name,
          fc.oneof(
            { weight: Math.ceil(absent), arbitrary: fc.constant(ABSENT) },
            { weight: 3, arbitrary: sampleOf(property, name, depth + 1) },
          ),
        ] as const,
    );
    return fc
      .record(Object.fromEntries(fields))
      .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ABSENT)));
  };

  return (schema: JsonSchema): fc.Arbitrary<unknown> => sampleOf(schema, '', 0);
}

function leafOf(type: string | undefined, name: string): fc.Arbitrary<unknown> {
  if (type === 'integer') return fc.integer({ min: 0, max: 4 });
  if (type === 'number') return fc.constantFrom(0, 1, 19.99);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return textFor(name);
}

/** Returns texts that are valid for the field's name, so that requests get past validation. */
function textFor(name: string): fc.Arbitrary<unknown> {
  if (name === 'email') return fc.constantFrom('ann@example.com', 'Ben.Ray@example.com');
  if (/price|amount|cost/.test(name)) return fc.constantFrom('0', '5', '19.99');
  if (/_at$|_on$/.test(name)) return fc.constantFrom('2026-01-01', '2026-01-01T10:00:00Z');
  if (name === 'number') return fc.constantFrom('4111111111111111', 'X1');
  if (name === 'year') return fc.constant('2035');
  return fc.constantFrom('1', 'word', 'Two words');
}

/** Replaces none, one or several values of a body by invalid ones, including the wrapper. */
export function spoil(sample: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(sample, fc.oneof(fc.constant([]), fc.array(fc.tuple(fc.nat(1000), garbage), { maxLength: 3 })))
    .map(([body, spots]) => spots.reduce((now, [place, value]) => replaceValue(now, place, value), body));
}

/** Replaces one value of the body. `place` selects among all values, including the body itself. */
function replaceValue(body: unknown, place: number, value: unknown): unknown {
  const paths = listPaths(body);
  const path = paths[place % paths.length] ?? [];
  return put(body, path, value);
}

function listPaths(value: unknown): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [[]];
  const inside = Object.entries(value).flatMap(([key, child]) =>
    listPaths(child).map((path) => [key, ...path]),
  );
  return [[], ...inside.slice(0, 200)];
}

function put(body: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((item, index) => (String(index) === key ? put(item, rest, value) : item));
  const record = body as Record<string, unknown>; // its own keys led here
  return { ...record, [key]: put(record[key], rest, value) };
}
