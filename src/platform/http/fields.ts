import { z } from 'zod';
import { BLANK, INVALID } from '../errors';
import { isEmail } from '../email';
import { toHalfWidth } from '../half-width';
import { MAX_INT4 } from '../int4';
import { countJsonBytes, isStorable, isStorableJson, MAX_JSON_BYTES, type JsonObject } from '../json-object';
import { compareDecimals, isCurrency, parseDecimal, roundDecimal } from '../money';
import { parseTimestamp } from '../timestamp';
import { isRecord, isScalar, readBoolean, toList, type Scalar } from '../parameters';

/**
 * A field of a request body. It accepts other representations of a value (`"5"` is 5, because forms contain only text),
 * and reports invalid values with the messages of Rails. It has three schemas: `optional` (missing leaves the value
 * unchanged, null or blank clears it), `filled` (may be missing, but not blank) and `required`.
 */
export interface Field<T> {
  optional: z.ZodType<T | null | undefined>;
  filled: z.ZodType<T | undefined>;
  required: z.ZodType<T>;
}

/** Returns the field with a description for the reference. */
export function describe<T>(field: Field<T>, description: string): Field<T> {
  return {
    optional: field.optional.meta({ description }),
    filled: field.filled.meta({ description }),
    required: field.required.meta({ description }),
  };
}

const MAX_LIST = 1000;

/** The result of a parser: a value, an error message, or blank (null, '' and similar). */
type Parsed<T> = { value: T } | { problem: string } | 'blank';

function buildField<T>(document: z.ZodType, parse: (raw: unknown) => Parsed<T>): Field<T> {
  const read = (whenBlank: 'null' | 'refuse') =>
    z.preprocess(
      (raw, context): T | null => {
        const parsed = raw === undefined || raw === null ? 'blank' : parse(raw);
        if (parsed !== 'blank' && 'value' in parsed) return parsed.value;
        if (parsed === 'blank' && whenBlank === 'null') return null;
        context.addIssue({ code: 'custom', message: parsed === 'blank' ? BLANK : parsed.problem });
        return z.NEVER;
      },
      whenBlank === 'null' ? document.nullable() : document,
    );
  // The preprocessing returns a T, or null if blank is allowed; `document` only describes it.
  return {
    optional: read('null').optional() as z.ZodType<T | null | undefined>,
    filled: read('refuse').optional() as z.ZodType<T | undefined>,
    required: read('refuse') as z.ZodType<T>,
  };
}

/** What a text may be, and how it is converted before it is stored. */
interface TextOptions {
  min?: number;
  max?: number;
  trim?: boolean;
  /** Whether full-width letters and digits become ASCII, as in identifiers. */
  halfWidth?: boolean;
}

/** Text without NUL of up to `max` characters (default 255). If blank is invalid, so is text of only whitespace. */
export function text(options: TextOptions = {}): Field<string> {
  const { min = 0, max = 255 } = options;
  const parse = (raw: unknown): Parsed<string> => {
    if (!isScalar(raw)) return { problem: INVALID };
    const given = options.halfWidth === true ? toHalfWidth(String(raw)) : String(raw);
    const value = options.trim === true ? given.trim() : given;
    if (!isStorable(value)) return { problem: INVALID };
    if (value !== '' && value.length < min) return { problem: `is too short (minimum is ${min} characters)` };
    if (value.length > max) return { problem: `is too long (maximum is ${max} characters)` };
    return { value };
  };
  const parsePresent = (raw: unknown): Parsed<string> => {
    const parsed = parse(raw);
    return parsed !== 'blank' && 'value' in parsed && parsed.value.trim() === '' ? 'blank' : parsed;
  };
  const document = z.string().max(max);
  return { ...buildField(document, parsePresent), optional: buildField(document, parse).optional };
}

/** An e-mail address. It is trimmed, and its case is kept. */
export function email(): Field<string> {
  return buildField(z.string().meta({ format: 'email' }), (raw) => {
    const value = typeof raw === 'string' ? raw.trim() : null;
    if (value === '') return 'blank';
    return value !== null && isStorable(value) && isEmail(value) ? { value } : { problem: INVALID };
  });
}

/** Long text, such as a description. */
export const longText = (): Field<string> => text({ max: 65_535 });

function parseInteger(raw: unknown, min: number, max: number): Parsed<number> {
  if (raw === '') return 'blank';
  const decimal = typeof raw === 'boolean' ? null : parseDecimal(raw);
  if (decimal === null) return { problem: 'is not a number' };
  const value = Number(decimal);
  if (/\.\d*[1-9]/.test(decimal)) return { problem: 'must be an integer' };
  if (value < min) return { problem: `must be greater than or equal to ${min}` };
  if (value > max) return { problem: `must be less than or equal to ${max}` };
  return { value };
}

/** A whole number; the bounds default to the range of PostgreSQL's integer. */
export function integer(options: { min?: number; max?: number } = {}): Field<number> {
  const { min = -MAX_INT4, max = MAX_INT4 } = options;
  return buildField(z.int().min(min).max(max), (raw) => parseInteger(raw, min, max));
}

/** The id of another record. The service checks that it exists. */
export function reference(): Field<number> {
  return buildField(z.int().min(1).max(MAX_INT4), (raw) => {
    const parsed = parseInteger(raw, 1, MAX_INT4);
    return parsed !== 'blank' && 'problem' in parsed ? { problem: INVALID } : parsed;
  });
}

/** The id of another record, or a text that names it, such as a code. The service finds it. */
export function idOrName(): Field<number | string> {
  const { optional } = reference();
  const document = z.union([z.int().min(1).max(MAX_INT4), z.string().max(255)]);
  return buildField<number | string>(document, (raw) => {
    if (!isScalar(raw) || typeof raw === 'boolean') return { problem: INVALID };
    const name = String(raw).trim();
    if (name === '') return 'blank';
    const id = optional.safeParse(raw).data;
    if (typeof id === 'number') return { value: id };
    const isName = /\p{L}/u.test(name) && name.length <= 255 && isStorable(name);
    return isName ? { value: name } : { problem: INVALID };
  });
}

/** An exact decimal as a string, rounded half up to `decimals` (default 2). */
export function decimalNumber(
  options: { min?: string; max?: string; decimals?: number } = {},
): Field<string> {
  const { min, max = '99999999.99', decimals = 2 } = options;
  return buildField(z.string().meta({ examples: ['19.99'] }), (raw) => {
    if (raw === '') return 'blank';
    const parsed = typeof raw === 'boolean' ? null : parseDecimal(raw);
    if (parsed === null) return { problem: 'is not a number' };
    const value = roundDecimal(parsed, decimals);
    if (min !== undefined && compareDecimals(value, min) < 0)
      return { problem: `must be greater than or equal to ${min}` };
    if (compareDecimals(value, max) > 0) return { problem: `must be less than or equal to ${max}` };
    if (compareDecimals(value, `-${max}`) < 0) return { problem: `must be greater than or equal to -${max}` };
    return { value };
  });
}

/** A price: 0 to 999999.99. */
export const price = (): Field<string> => decimalNumber({ min: '0', max: '999999.99' });

/** The code of a currency, in any case. */
export function currency(): Field<string> {
  return buildField(z.string().meta({ examples: ['USD'] }), (raw) => {
    const code = typeof raw === 'string' ? raw.trim().toUpperCase() : null;
    if (code === '') return 'blank';
    return code !== null && isCurrency(code) ? { value: code } : { problem: INVALID };
  });
}

/** A boolean, read by `readBoolean`. No text is invalid. */
export function boolean(): Field<boolean> {
  return buildField(z.boolean(), (raw) => {
    const value = readBoolean(raw);
    return value === null ? { problem: INVALID } : { value };
  });
}

/** A point in time, parsed by `parseTimestamp`. */
export function timestamp(): Field<Date> {
  const anyOf = [{ format: 'date-time' }, { format: 'date' }];
  return buildField(z.date().meta({ override: { type: 'string', anyOf } }), (raw) => {
    if (raw === '') return 'blank';
    const value = parseTimestamp(raw);
    return value === null ? { problem: INVALID } : { value };
  });
}

/** One of `words`. */
export function choice<const W extends string>(words: readonly W[]): Field<W> {
  return buildField(z.enum(words), (raw) => {
    if (raw === '') return 'blank';
    const value = words.find((word) => word === raw);
    return value === undefined ? { problem: 'is not included in the list' } : { value };
  });
}

/** Returns a list without blank entries, which forms send to clear it. */
const withoutBlanks = (entries: readonly unknown[]): unknown[] =>
  entries.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');

/**
 * A list of ids: an array, an index-keyed object or `"1,2,3"`; blank clears it. Skips blank entries, removes duplicates
 * and keeps the order.
 */
export function ids(): Field<number[]> {
  return buildField(z.array(z.int()), (raw) => {
    const list = typeof raw === 'number' ? [raw] : typeof raw === 'string' ? splitCommas(raw) : toList(raw);
    if (list === null || list.length > MAX_LIST) return { problem: INVALID };
    const value = new Set<number>();
    for (const parsed of withoutBlanks(list).map((entry) => parseInteger(entry, 1, MAX_INT4))) {
      if (parsed === 'blank' || 'problem' in parsed) return { problem: INVALID };
      value.add(parsed.value);
    }
    return { value: [...value] };
  });
}

function splitCommas(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * A list of names: an array, an index-keyed object or text separated by commas. Blank entries are skipped. Of records that have a
 * name, as replies show them, the name counts.
 */
export function names(): Field<string[]> {
  const document = z.array(z.union([z.string(), z.object({ name: z.string() })]));
  return buildField<string[]>(document, (raw) => {
    const list = typeof raw === 'string' ? splitCommas(raw) : toList(raw);
    if (list === null || list.length > MAX_LIST) return { problem: INVALID };
    const toName = (entry: unknown): unknown => (isRecord(entry) ? entry['name'] : entry);
    const value = withoutBlanks(list)
      .map(toName)
      .map((entry) => (isScalar(entry) ? String(entry).trim() : ''));
    const valid = value.every((name) => name !== '' && name.length <= 255 && isStorable(name));
    return valid ? { value: [...new Set(value)] } : { problem: INVALID };
  });
}

/**
 * A list of words, each one of `words`: an array, an index-keyed object or text separated by commas. Blank entries are
 * skipped.
 */
export function choices<const W extends string>(
  words: readonly W[],
  { atLeastOne = false } = {},
): Field<W[]> {
  const document = z.array(z.enum(words));
  return buildField(atLeastOne ? document.min(1) : document, (raw) => {
    const given = typeof raw === 'string' ? splitCommas(raw) : toList(raw);
    if (given === null) return { problem: INVALID };
    const list = withoutBlanks(given);
    if (atLeastOne && list.length === 0) return 'blank';
    const value = words.filter((word) => list.includes(word));
    return list.every((entry) => words.some((word) => word === entry)) ? { value } : { problem: INVALID };
  });
}

/**
 * A flat record of up to 100 names with scalar values or null. Names have up to 255 characters. With
 * `descriptions` of names, others are dropped and reported as ignored.
 */
export function scalars(
  descriptions?: Readonly<Record<string, string>>,
): Field<Record<string, Scalar | null>> {
  const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  const known = Object.entries(descriptions ?? {}).map(([name, text]) => [
    name,
    scalar.optional().describe(text),
  ]);
  const document =
    descriptions === undefined ? z.record(z.string(), scalar) : z.object(Object.fromEntries(known));
  return buildField(document, (raw) => {
    if (raw === '') return 'blank';
    const entries = isRecord(raw) ? Object.entries(raw) : [];
    const valid = entries.every(
      ([name, value]) =>
        name.length <= 255 &&
        isStorable(name) &&
        (value === null || (isScalar(value) && isStorable(String(value)))),
    );
    if (!isRecord(raw) || !valid || entries.length > 100) return { problem: INVALID };
    // All values were checked above.
    return { value: raw as Record<string, Scalar | null> };
  });
}

/**
 * A JSON object of up to `MAX_JSON_BYTES`. Null is invalid: an object is replaced, also by an empty one, but never
 * removed.
 */
export function jsonObject(): Field<JsonObject> {
  const field = buildField<JsonObject>(z.record(z.string(), z.unknown()), (raw) => {
    if (!isRecord(raw) || !isStorableJson(raw)) return { problem: INVALID };
    const isTooLong = countJsonBytes(raw) > MAX_JSON_BYTES;
    return isTooLong ? { problem: `is too long (maximum is ${MAX_JSON_BYTES} bytes)` } : { value: raw };
  });
  return { ...field, optional: field.filled };
}

/**
 * A list of up to 1000 records: an array, an index-keyed object (in ascending order) or a single record. Undefined if
 * missing, [] for null and ''. A list with an entry that is not an object is invalid.
 */
export function list<S extends z.ZodType>(entry: S): z.ZodType<z.output<S>[] | undefined> {
  const read = z.preprocess((raw, context) => {
    if (raw === undefined) return undefined;
    const entries = toList(raw) ?? (isRecord(raw) ? [raw] : null);
    if (!entries?.every(isRecord) || entries.length > MAX_LIST) {
      context.addIssue({ code: 'custom', message: INVALID });
      return z.NEVER;
    }
    return entries;
  }, z.array(entry));
  return read.optional();
}

/** A nested record. Null, '' and [] count as missing; anything else that is not an object is invalid. */
export function nested<S extends z.ZodType>(schema: S): z.ZodType<z.output<S> | undefined> {
  const read = z.preprocess((raw, context) => {
    if (isRecord(raw) || raw === undefined) return raw;
    if (toList(raw)?.length === 0) return undefined;
    context.addIssue({ code: 'custom', message: INVALID });
    return z.NEVER;
  }, schema.optional());
  return read.optional();
}
