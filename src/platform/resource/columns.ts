import { z } from 'zod';
import * as fields from '../http/fields';
import type { JsonObject } from '../json-object';
import { formatDecimal } from '../money';
import type { ColumnType as SearchType } from '../query-builder/define-search';

/**
 * The type of a column: how requests contain it, how replies show it, and which predicates `q` supports. If requests may
 * contain what rows do not (`Requested`), the service replaces it by the value.
 */
export interface ColumnType<Value, Json = Value, Requested = Value> {
  input: fields.Field<Requested>;
  reply: z.ZodType<Json>;
  search: SearchType;
  serialize: (value: Value) => Json;
}

function plain<Value>(
  input: fields.Field<Value>,
  search: SearchType,
  reply: z.ZodType<Value>,
): ColumnType<Value> {
  return { input, search, reply, serialize: (value) => value };
}

/** Text; `max` defaults to 255 characters. */
export const text = (options: Parameters<typeof fields.text>[0] = {}): ColumnType<string> =>
  plain(fields.text(options), 'text', z.string());

/** Long text, such as a description. */
export const longText = (): ColumnType<string> => plain(fields.longText(), 'text', z.string());

/** A whole number in the range of PostgreSQL's integer. */
export const integer = (options: Parameters<typeof fields.integer>[0] = {}): ColumnType<number> =>
  plain(fields.integer(options), 'integer', z.int());

/** The id of another record. A foreign key or the service checks that it exists. */
export const reference = (): ColumnType<number> => plain(fields.reference(), 'integer', z.int());

/** The id of another record, which requests may also name, for example by its code. The service finds the id. */
export const namedReference = (): ColumnType<number, number, number | string> => ({
  ...reference(),
  input: fields.idOrName(),
});

/** The code of a currency. */
export const currency = (): ColumnType<string> => plain(fields.currency(), 'text', z.string());

export const boolean = (): ColumnType<boolean> => plain(fields.boolean(), 'boolean', z.boolean());

/** One of `words`. */
export const choice = <const W extends string>(words: readonly W[]): ColumnType<W> =>
  plain(fields.choice(words), 'text', z.enum(words));

/** A list of `words`; an array of text in rows. */
export const choices = <const W extends string>(words: readonly W[]): ColumnType<W[]> =>
  plain(fields.choices(words), 'text', z.array(z.enum(words)));

/** An exact decimal; a string in rows and in replies. */
export const decimalNumber = (
  options: Parameters<typeof fields.decimalNumber>[0] = {},
): ColumnType<string> => ({
  input: fields.decimalNumber(options),
  search: 'decimal',
  reply: z.string(),
  serialize: formatDecimal,
});

/** A JSON object. */
export const jsonObject = (): ColumnType<JsonObject> =>
  plain(fields.jsonObject(), 'json', z.record(z.string(), z.unknown()));

/** A point in time; ISO 8601 in replies. */
export const timestamp = (): ColumnType<Date, string> => ({
  input: fields.timestamp(),
  search: 'timestamp',
  reply: z.iso.datetime(),
  serialize: (value) => value.toISOString(),
});
