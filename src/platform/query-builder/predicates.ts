import { readBoolean, toList } from '../parameters';
import { MAX_INT4 } from '../int4';
import { readJsonObject } from '../json-object';
import { parseDecimal } from '../money';
import { parseTimestamp } from '../timestamp';
import type { ColumnType } from './define-search';

export interface SqlCondition {
  sql: string;
  bindings: (string | number | boolean | Date)[];
  /** Whether a column that is null meets the condition; defaults to false. */
  matchesNull?: boolean;
}

/** Builds the condition for one column, whose SQL comes from a definition, never from a client. */
export type ColumnCondition = (column: string) => SqlCondition;

type Value = string | number | boolean | Date;
type Operator = (column: string, value: Value) => SqlCondition;

const NOTHING: ColumnCondition = () => ({ sql: 'FALSE', bindings: [] });

/** Escapes `%`, `_` and the backslash of a client's text for LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

const buildComparison =
  (operator: string): Operator =>
  (column, value) => ({ sql: `${column} ${operator} ?`, bindings: [value] });

const buildLike =
  (operator: 'ILIKE' | 'NOT ILIKE', pattern: (escaped: string) => string): Operator =>
  (column, value) => ({ sql: `${column} ${operator} ?`, bindings: [pattern(escapeLike(String(value)))] });

const buildRawLike =
  (operator: 'ILIKE' | 'NOT ILIKE'): Operator =>
  (column, value) => ({ sql: `${column} ${operator} ?`, bindings: [completePattern(String(value))] });

/** Escapes a single trailing backslash, which PostgreSQL would reject. */
function completePattern(pattern: string): string {
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return trailing % 2 === 1 ? `${pattern}\\` : pattern;
}

const COMPARISONS: Record<string, Operator> = {
  eq: buildComparison('='),
  not_eq: buildComparison('<>'),
  lt: buildComparison('<'),
  lteq: buildComparison('<='),
  gt: buildComparison('>'),
  gteq: buildComparison('>='),
};

const TEXT_MATCHES: Record<string, Operator> = {
  cont: buildLike('ILIKE', (text) => `%${text}%`),
  not_cont: buildLike('NOT ILIKE', (text) => `%${text}%`),
  start: buildLike('ILIKE', (text) => `${text}%`),
  not_start: buildLike('NOT ILIKE', (text) => `${text}%`),
  end: buildLike('ILIKE', (text) => `%${text}`),
  not_end: buildLike('NOT ILIKE', (text) => `%${text}`),
  matches: buildRawLike('ILIKE'),
  does_not_match: buildRawLike('NOT ILIKE'),
};

/** Predicates that may end in `_any` or `_all`. */
const COMBINABLE = [
  ...Object.keys(COMPARISONS),
  ...Object.keys(TEXT_MATCHES).filter((name) => name !== 'does_not_match'),
];

interface Switch {
  on: (column: string, type: ColumnType) => string;
  off: (column: string, type: ColumnType) => string;
  /** The value for which a null column matches, if there is one. */
  ofNull?: boolean;
}

const SWITCHES: Record<string, Switch> = {
  null: { on: (c) => `${c} IS NULL`, off: (c) => `${c} IS NOT NULL`, ofNull: true },
  not_null: { on: (c) => `${c} IS NOT NULL`, off: (c) => `${c} IS NULL`, ofNull: false },
  present: {
    on: (c, type) => `NOT ${buildBlankTest(c, type)}`,
    off: (c, type) => buildBlankTest(c, type),
    ofNull: false,
  },
  blank: {
    on: (c, type) => buildBlankTest(c, type),
    off: (c, type) => `NOT ${buildBlankTest(c, type)}`,
    ofNull: true,
  },
  true: { on: (c) => `${c} IS TRUE`, off: (c) => `${c} IS FALSE` },
  false: { on: (c) => `${c} IS FALSE`, off: (c) => `${c} IS TRUE` },
};

function buildBlankTest(column: string, type: ColumnType): string {
  return type === 'text' ? `(${column} IS NULL OR ${column} = '')` : `(${column} IS NULL)`;
}

/** The predicate of JSON columns. */
const CONTAINS = 'contains';

/** All predicate names, longest first, so that `name_not_cont` means `not_cont` and not `cont`. */
export const PREDICATES: readonly string[] = [
  ...Object.keys(COMPARISONS),
  ...Object.keys(TEXT_MATCHES),
  ...COMBINABLE.flatMap((name) => [`${name}_any`, `${name}_all`]),
  'in',
  'not_in',
  CONTAINS,
  ...Object.keys(SWITCHES),
].sort((a, b) => b.length - a.length);

/** Returns whether a condition with this value is omitted: no value, empty text, empty list. */
export function isEmptyValue(raw: unknown): boolean {
  if (raw === undefined || raw === null || raw === '') return true;
  const list = typeof raw === 'object' ? toList(raw) : null;
  return list !== null && list.every((entry) => isEmptyValue(entry));
}

/**
 * Builds the condition of a predicate and its value for a column of `type`; null if the predicate does not exist for
 * that type. A value that is invalid for the type matches nothing.
 */
export function buildPredicate(predicate: string, type: ColumnType, raw: unknown): ColumnCondition | null {
  if (type === 'json' || predicate === CONTAINS) {
    return type === 'json' && predicate === CONTAINS ? buildContainment(raw) : null;
  }
  const flip = SWITCHES[predicate];
  if (flip !== undefined) return buildSwitch(flip, predicate, type, raw);
  if (predicate === 'in' || predicate === 'not_in') return buildMembership(predicate, type, raw);
  const suffix = /^(.+)_(any|all)$/.exec(predicate);
  const base = suffix?.[1] ?? predicate;
  const operator = COMPARISONS[base] ?? TEXT_MATCHES[base];
  if (operator === undefined) return null;
  const asText = TEXT_MATCHES[base] !== undefined;
  const values = listValues(raw)
    .filter((entry) => !isEmptyValue(entry))
    .map((entry) => parseValue(asText ? 'text' : type, entry));
  return combine(operator, values, {
    glue: suffix?.[2] === 'any' ? 'OR' : 'AND',
    cast: asText && type !== 'text',
  });
}

/** Returns whether every value of a condition is valid for a column of `type`. Invalid ones match nothing. */
export function isReadableValue(predicate: string, type: ColumnType, raw: unknown): boolean {
  if (predicate === CONTAINS) return readJsonObject(raw) !== null;
  if (SWITCHES[predicate] !== undefined) return readBoolean(raw) !== null;
  const base = predicate.replace(/_(any|all)$/, '');
  const read = TEXT_MATCHES[base] !== undefined ? 'text' : type;
  return listValues(raw)
    .filter((entry) => !isEmptyValue(entry))
    .every((entry) => parseValue(read, entry) !== null);
}

/**
 * Builds the condition that the column contains a JSON object. The indexes of such columns leave out empty objects, so that
 * records without data cost nothing.
 */
function buildContainment(raw: unknown): ColumnCondition {
  const value = readJsonObject(raw);
  if (value === null) return NOTHING;
  if (Object.keys(value).length === 0) return () => ({ sql: 'TRUE', bindings: [] });
  return (column) => ({
    sql: `${column} <> '{}' AND ${column} @> CAST(? AS jsonb)`,
    bindings: [JSON.stringify(value)],
  });
}

function buildSwitch(
  flip: Switch,
  predicate: string,
  type: ColumnType,
  raw: unknown,
): ColumnCondition | null {
  if ((predicate === 'true' || predicate === 'false') && type !== 'boolean') return null;
  const on = readBoolean(raw);
  if (on === null) return NOTHING;
  const matchesNull = on === flip.ofNull;
  return (column) => ({
    sql: on ? flip.on(column, type) : flip.off(column, type),
    bindings: [],
    matchesNull,
  });
}

function buildMembership(predicate: 'in' | 'not_in', type: ColumnType, raw: unknown): ColumnCondition {
  const values = listValues(raw)
    .map((entry) => parseValue(type, entry))
    .filter((value) => value !== null);
  if (values.length === 0) return NOTHING;
  const operator = predicate === 'in' ? 'IN' : 'NOT IN';
  return (column) => ({
    sql: `${column} ${operator} (${values.map(() => '?').join(', ')})`,
    bindings: values,
  });
}

function combine(
  operator: Operator,
  values: readonly (Value | null)[],
  how: { glue: 'AND' | 'OR'; cast: boolean },
): ColumnCondition {
  return (column) => {
    const target = how.cast ? `CAST(${column} AS text)` : column;
    const parts = values.map((value) => (value === null ? NOTHING(target) : operator(target, value)));
    if (parts.length === 0) return NOTHING(target);
    return {
      sql: `(${parts.map((part) => part.sql).join(` ${how.glue} `)})`,
      bindings: parts.flatMap((part) => part.bindings),
    };
  };
}

/** Returns the values of a condition: the entries of a list, or the single value. */
export function listValues(raw: unknown): unknown[] {
  const list = typeof raw === 'object' ? toList(raw) : null;
  return list ?? [raw];
}

/** Parses the value as the column's type; null if it is invalid. */
function parseValue(type: ColumnType, raw: unknown): Value | null {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') return null;
  switch (type) {
    case 'json':
      return null;
    case 'text':
      return String(raw).includes('\u0000') ? null : String(raw);
    case 'boolean':
      return readBoolean(raw);
    case 'timestamp':
      return parseTimestamp(raw);
    case 'decimal':
      return typeof raw === 'boolean' ? null : parseDecimal(raw);
    case 'integer': {
      const value = typeof raw === 'boolean' ? NaN : Number(parseDecimal(raw) ?? NaN);
      return Number.isInteger(value) && Math.abs(value) <= MAX_INT4 ? value : null;
    }
  }
}
