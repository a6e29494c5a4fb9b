import { z } from 'zod';
import type { AttributeList } from '../http/attribute-list';
import { type Field } from '../http/fields';
import { wrapped, type Wrapped } from '../http/field-schemas';
import type { ColumnType as SearchType, SearchDefinition } from '../query-builder/define-search';

/**
 * A field that is a column. Exactly one of these options applies if a request contains no value: `required` rejects a
 * create request; `nullable` stores null; `default` stores that value; `assigned` means that the service sets it;
 * `internal` that it sets it and requests cannot; `generated` that neither sets it.
 */
interface ColumnSpec {
  type: { input: Field<unknown>; reply: z.ZodType; search: SearchType; serialize: (value: never) => unknown };
  required?: true;
  nullable?: true;
  default?: unknown;
  assigned?: true;
  internal?: true;
  generated?: true;
  /** Omitted from replies and from `/new`. */
  hidden?: true;
  /** Omitted from `/new`. */
  unlisted?: true;
  /** Whether `q` supports it. */
  search?: true;
  /** The column of a joined table, for a `generated` field that another table has. */
  joined?: string;
  /** Shown in the reference. */
  description?: string;
  /** The schema in replies, if it differs from that of the type. */
  reply?: z.ZodType;
}

/** A field that is not a column. Other code handles it in requests (`input`) or builds it for replies (`reply`). */
interface ExtraSpec {
  type?: undefined;
  reply?: z.ZodType;
  input?: z.ZodType | Field<unknown>;
  required?: true;
  /** Whether `/new` lists it. */
  listed?: true;
  /** Shown in the reference, unless the schema of the request or the reply has its own. */
  description?: string;
  /** The type, if `q` supports it as a column. */
  search?: SearchType;
}

export type Fields = Record<string, ColumnSpec | ExtraSpec>;

/**
 * Rejects columns without any of these options, defaults of another type, and fields that are neither columns nor used
 * by requests, replies or `q`.
 */
type Checked<F extends Fields> = {
  [K in keyof F]: F[K] extends { type: { input: Field<infer Value> } }
    ? | { required: true }
      | { nullable: true }
      | { default: Value }
      | { assigned: true }
      | { internal: true }
      | { generated: true }
    : { reply: z.ZodType } | { input: z.ZodType | Field<unknown> } | { search: SearchType };
};

type Flat<T> = { [K in keyof T]: T[K] };
type ValueOf<S> = S extends { type: { serialize: (value: infer Value) => unknown } } ? Value : never;
type RequestedOf<S> = S extends { type: { input: Field<infer Value> } } ? Value : never;
type JsonValueOf<S> = S extends { type: { reply: z.ZodType<infer Value> } } ? Value : never;
type OrNull<S, T> = S extends { nullable: true } ? T | null : T;
type ReplyOf<S> = S extends { hidden: true }
  ? never
  : S extends { reply: infer R extends z.ZodType }
    ? S extends { nullable: true }
      ? z.ZodNullable<R>
      : R
    : S extends { type: object }
      ? z.ZodType<OrNull<S, JsonValueOf<S>>>
      : never;
type InputOf<S, WhenRequired> = S extends { generated: true } | { internal: true }
  ? never
  : S extends { type: object }
    ? Given<S, RequestedOf<S>, WhenRequired>
    : S extends { input: Field<infer Value> }
      ? Given<S, Value, WhenRequired>
      : S extends { input: infer Schema extends z.ZodType }
        ? z.output<Schema>
        : never;
type Given<S, Value, WhenRequired> = S extends { required: true }
  ? Value | WhenRequired
  : Value | null | undefined;
type Input<F extends Fields, WhenRequired> = {
  [K in keyof F as [InputOf<F[K], never>] extends [never] ? never : K]: InputOf<F[K], WhenRequired>;
};

/** A row as read from the table. */
export type Row<F extends Fields> = Flat<
  { id: number } & {
    [K in keyof F as F[K] extends { type: object } ? K : never]: OrNull<F[K], ValueOf<F[K]>>;
  }
>;
type WrittenKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { generated: true } ? never : F[K] extends { type: object } ? K : never;
}[keyof F];
/** The columns that can be written. */
export type Values<F extends Fields> = { [K in WrittenKeys<F>]: OrNull<F[K], ValueOf<F[K]>> };
type NewValues<F extends Fields> = {
  [K in WrittenKeys<F>]:
    OrNull<F[K], ValueOf<F[K]>> | (F[K] extends { assigned: true } | { internal: true } ? undefined : never);
};
type JsonShape<F extends Fields> = Flat<
  { id: z.ZodInt } & { [K in keyof F as [ReplyOf<F[K]>] extends [never] ? never : K]: ReplyOf<F[K]> }
>;
type Schemas<T> = { [K in keyof T]: z.ZodType<T[K]> };
type Extras<F extends Fields> = {
  [
    K in keyof F as F[K] extends { type: object } ? never : F[K] extends { reply: z.ZodType } ? K : never
  ]: z.output<ReplyOf<F[K]>>;
};

interface Options<Name extends string, F extends Fields> {
  table: string;
  /** The key that wraps a request body. */
  name: Name;
  /** The name of the reply's schema in the reference; omitted if the resource extends the schema. */
  schema?: string;
  fields: F;
  /** The SQL that joins the tables of `joined` fields. */
  join?: string;
  /** `soft` keeps the row and sets `deleted_at`; reads ignore such rows. */
  deletion: 'soft' | 'hard';
  /** Attributes of `q` besides the fields marked `search`, and the order of lists. */
  search?: Partial<Omit<SearchDefinition, 'table'>>;
}

/** Everything that is derived from the fields of a resource. */
export interface Resource<Name extends string, F extends Fields> {
  fields: F;
  table: string;
  name: Name;
  deletion: 'soft' | 'hard';
  /** The SQL that joins the tables of `joined` fields; empty without any. */
  join: string;
  /** The columns of a row, qualified with the table. */
  columns: readonly string[];
  Json: z.ZodObject<JsonShape<F>>;
  /** The attributes of create and update requests. */
  Attributes: z.ZodObject<Schemas<Attributes<F>>>;
  Changes: z.ZodObject<Schemas<Changes<F>>>;
  /** The bodies of create and update requests, wrapped in `name`. */
  Create: Wrapped<z.ZodType<Record<Name, Attributes<F>>>>;
  Update: Wrapped<z.ZodType<Record<Name, Changes<F>>>>;
  search: SearchDefinition;
  /** The reply of `/new`. */
  attributeList: AttributeList;
  /** Serializes a row; `extras` are the fields that are not columns. */
  serialize: (row: Row<F>, ...extras: keyof Extras<F> extends never ? [] : [Extras<F>]) => Json<F>;
  /** Returns the columns of a new row, including defaults; undefined for `assigned` ones without a value, and for `internal` ones. */
  newValues: (attributes: Pick<Attributes<F>, keyof Attributes<F> & WrittenKeys<F>>) => NewValues<F>;
  /** Returns the columns that a request changes. Null clears nullable columns and does not change the others. */
  changedValues: (changes: Written<F> | Partial<Written<F>>) => Partial<Values<F>>;
}

type Written<F extends Fields> = Pick<Changes<F>, keyof Changes<F> & WrittenKeys<F>>;

/** The JSON of a record. */
export type Json<F extends Fields> = z.output<z.ZodObject<JsonShape<F>>>;
/** The attributes of a create request. */
export type Attributes<F extends Fields> = Input<F, never>;
/** The attributes of an update request. */
export type Changes<F extends Fields> = Input<F, undefined>;

type FieldsOf<R> = R extends { fields: infer F extends Fields } ? F : never;
export type RowOf<R> = Row<FieldsOf<R>>;
export type ValuesOf<R> = Values<FieldsOf<R>>;
export type AttributesOf<R> = Attributes<FieldsOf<R>>;
export type ChangesOf<R> = Changes<FieldsOf<R>>;
export type JsonOf<R> = Json<FieldsOf<R>>;

/**
 * Defines a resource by its fields, from which rows, columns, request bodies, replies, `/new` and search are derived.
 * Rules, nested records and special SQL are written separately.
 */
export function defineResource<Name extends string, F extends Fields>(
  options: Options<Name, F & Checked<F>>,
): Resource<Name, F> {
  const { table, name, schema, deletion, join = '', search = {} } = options;
  const fields: F = options.fields;
  const specs = Object.entries<ColumnSpec | ExtraSpec>(fields);
  const columns = specs.flatMap(([key, spec]) => (spec.type === undefined ? [] : [[key, spec] as const]));
  const inputs = (strength: 'required' | 'filled') =>
    z.object(Object.fromEntries(specs.flatMap((entry) => buildInput(entry, strength))));
  const [attributes, changes] = [inputs('required'), inputs('filled')];
  const json = z.object({ id: z.int(), ...Object.fromEntries(specs.flatMap(buildReply)) });
  const searched = specs.flatMap((entry) => buildSearchAttribute(entry));

  const definition = {
    table,
    name,
    deletion,
    join,
    fields,
    columns: [
      `${table}.id`,
      ...columns.map(([key, { joined }]) =>
        joined === undefined ? `${table}.${key}` : `${joined} AS ${key}`,
      ),
    ],
    Json: schema === undefined ? json : json.meta({ id: schema }),
    Attributes: attributes,
    Changes: changes,
    Create: wrapped(name, attributes),
    Update: wrapped(name, changes),
    search: {
      baseOrder: [],
      ...search,
      table,
      attributes: { id: 'integer', ...Object.fromEntries(searched), ...search.attributes },
    },
    attributeList: {
      attributes: ['id', ...specs.flatMap(([key, spec]) => (isListed(spec) ? [key] : []))],
      required_attributes: specs.flatMap(([key, spec]) => (spec.required === true ? [key] : [])),
    },
    serialize: (row: Loose, extras: Loose = {}) => {
      const reply: Loose = { id: row['id'] };
      for (const [key, spec] of specs) {
        if (spec.type === undefined) {
          if (spec.reply !== undefined) reply[key] = extras[key];
        } else if (spec.hidden !== true) {
          const value = row[key];
          reply[key] = value === null ? null : spec.type.serialize(value as never); // the value of this column
        }
      }
      return reply;
    },
    newValues: (attributes: Loose) =>
      Object.fromEntries(
        listWritten(columns).map(([key, spec]) => [key, attributes[key] ?? findDefault(spec)]),
      ),
    changedValues: (changes: Loose) =>
      Object.fromEntries(
        listWritten(columns).flatMap(([key, spec]) => {
          const value = changes[key];
          return value === undefined || (value === null && spec.nullable !== true) ? [] : [[key, value]];
        }),
      ),
  };
  // Object.fromEntries loses the types of the fields; the types of Resource are computed from the same fields.
  return definition as unknown as Resource<Name, F>;
}

type Loose = Record<string, unknown>;

function buildInput(
  [key, spec]: [string, ColumnSpec | ExtraSpec],
  strength: 'required' | 'filled',
): [string, z.ZodType][] {
  if (spec.type !== undefined && (spec.generated === true || spec.internal === true)) return [];
  const input = spec.type === undefined ? spec.input : spec.type.input;
  if (input === undefined) return [];
  const schema =
    input instanceof z.ZodType ? input : spec.required === true ? input[strength] : input.optional;
  return [[key, describeField(schema, spec)]];
}

function buildReply([key, spec]: [string, ColumnSpec | ExtraSpec]): [string, z.ZodType][] {
  if (spec.type === undefined)
    return spec.reply === undefined ? [] : [[key, describeField(spec.reply, spec)]];
  if (spec.hidden === true) return [];
  const reply = spec.reply ?? spec.type.reply;
  const shown = spec.nullable === true ? reply.nullable() : reply;
  return [[key, describeField(shown.meta({ ...reply.meta() }), spec)]];
}

/** Adds the field's description, unless the schema has one. */
function describeField(schema: z.ZodType, { description }: ColumnSpec | ExtraSpec): z.ZodType {
  const known = schema.meta();
  if (description === undefined || known?.description !== undefined) return schema;
  // The reference of a named schema is described, not the schema.
  const examples = known?.['examples'];
  return schema.meta({ ...(Array.isArray(examples) && { examples }), description });
}

function buildSearchAttribute([key, spec]: [string, ColumnSpec | ExtraSpec]): [string, SearchType][] {
  if (spec.type === undefined) return spec.search === undefined ? [] : [[key, spec.search]];
  return spec.search === true ? [[key, spec.type.search]] : [];
}

function isListed(spec: ColumnSpec | ExtraSpec): boolean {
  if (spec.type === undefined) return spec.listed === true;
  return spec.hidden !== true && spec.unlisted !== true;
}

function listWritten<Entry extends readonly [string, ColumnSpec]>(columns: readonly Entry[]): Entry[] {
  return columns.filter(([, spec]) => spec.generated !== true);
}

function findDefault(spec: ColumnSpec): unknown {
  return spec.nullable === true ? null : spec.default;
}
