import { z } from 'zod';
import { isRecord, toRecord } from '../parameters';
import type { Field } from './fields';

type Fields = Record<string, Field<unknown>>;
type CreateShape<F extends Fields, R extends keyof F> = {
  [K in keyof F]: K extends R ? F[K]['required'] : F[K]['optional'];
};
type UpdateShape<F extends Fields, R extends keyof F> = {
  [K in keyof F]: K extends R ? F[K]['filled'] : F[K]['optional'];
};

/** Creates the schema of a create request: `required` fields must be present and not blank. */
export function createSchema<F extends Fields, const R extends keyof F & string>(
  fields: F,
  required: readonly R[],
) {
  return z.object(buildShape(fields, required, 'required') as CreateShape<F, R>); // the keys of `fields`, with the schema that `required` selects
}

/**
 * Creates the schema of an update request: missing fields do not change; `required` ones may be missing but not blank.
 */
export function updateSchema<F extends Fields, const R extends keyof F & string>(
  fields: F,
  required: readonly R[],
) {
  return z.object(buildShape(fields, required, 'filled') as UpdateShape<F, R>); // as above
}

function buildShape(
  fields: Fields,
  required: readonly string[],
  strength: 'required' | 'filled',
): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      required.includes(name) ? field[strength] : field.optional,
    ]),
  );
}

/** A body schema and the key that wraps the body, so that errors can omit the wrapper. */
export type Wrapped<S extends z.ZodType> = S & { wrapper: string };

/**
 * Wraps a body schema: the documented form is `{key: {…}}`. Without the wrapper, the attributes are read from the top
 * level. A wrapper that is not an object counts as empty. `beside` are keys next to the wrapper.
 */
export function wrapped<
  const K extends string,
  S extends z.ZodType,
  B extends z.ZodRawShape = Record<never, never>,
>(key: K, schema: S, beside?: B) {
  // The computed key is K, but TypeScript infers a wider type.
  const description = `The attributes. They may also be sent without \`${key}\`.`;
  // Registered instead of `meta`, which returns a copy that has not the marks of the schema.
  if (schema.meta()?.id === undefined) z.globalRegistry.add(schema, { ...schema.meta(), description });
  const shape = { ...beside, [key]: schema } as B & Record<K, S>;
  const read = z.preprocess((raw) => {
    const parameters = toRecord(raw);
    if (!(key in parameters)) return { ...parameters, [key]: parameters };
    return isRecord(parameters[key]) ? parameters : { ...parameters, [key]: {} };
  }, z.object(shape));
  return Object.assign(read, { wrapper: key });
}
