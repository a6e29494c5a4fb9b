import { isScalar, toList, type Parameters, toRecord } from '../parameters';
import { MAX_INT4 } from '../int4';
import type { FeedQuery } from './feed';
import { resolveAttribute, type ResolvedAttribute, type SearchDefinition } from './define-search';
import {
  isEmptyValue,
  isReadableValue,
  PREDICATES,
  buildPredicate,
  listValues,
  type ColumnCondition,
} from './predicates';

/** One `q[...]` entry. Several attributes may share a predicate and a value (`name_or_sku_cont`). */
export interface Condition {
  attributes: readonly { attribute: ResolvedAttribute; test: ColumnCondition }[];
  combine: 'and' | 'or';
}

export interface Sort {
  attribute: ResolvedAttribute;
  direction: 'asc' | 'desc';
  /** The name of an order of the search definition; missing for an attribute. */
  order?: string;
}

/** A parsed list request: conditions, order and page. Contains no SQL of clients. */
export interface ListQuery {
  page: number;
  per_page: number;
  /** Whether the request has `page` or `per_page`. Without them, some lists return all records. */
  isPaged: boolean;
  conditions: readonly Condition[];
  combine: 'and' | 'or';
  sorts: readonly Sort[];
  /** The requested ids; null if there are none. With ids, the conditions are empty. */
  ids: readonly number[] | null;
  /** The position in the feed; null for a page by number. With it, sorts and the page number are ignored. */
  feed: FeedQuery | null;
  /** The names of ignored `q` entries and sort fields, for the header X-Ignored-Conditions. */
  ignored: readonly string[];
  /**
   * Paths of page parameters that are replaced by their defaults, of conditions whose value their type cannot hold, and `q` if
   * it has no conditions.
   */
  unreadable: readonly string[];
}

export const DEFAULT_PER_PAGE = 25;
export const MAX_PER_PAGE = 500;

/** Limits of the cost of a search. Conditions and sort fields beyond them are ignored, like unknown ones. */
const LIMITS = {
  /** Tested columns. Each adds a join or an alternative to the plan. */
  tests: 100,
  /** Comparisons for each row, which is also the number of values in the statement. */
  comparisons: 2000,
  /** Characters in the name of a condition. */
  name: 1000,
  /** Sort fields, including invalid ones. */
  sorts: 10,
  /** Sort fields of associated records. Each is looked up for every matching row. */
  associated_sorts: 3,
};

/** Further limits for others than admins, of all conditions that compare each row with values. */
const LIMITS_OF_OTHERS = {
  values: 50,
  /** Of the texts of all values. */
  characters: 2048,
  /** Comparisons with a text or a pattern for each row. */
  comparisons: 100,
};

/**
 * Parses page, per_page, ids and q of the merged parameters. Ignores what the resource does not allow. Never throws.
 */
export function parseListQuery(parameters: Parameters, search: SearchDefinition, admin: boolean): ListQuery {
  const q = toRecord(parameters['q']);
  const ids = parseIds(parameters['ids']);
  const ignored: string[] = [];
  const unreadable = ['page', 'per_page'].filter((name) => isUnreadablePage(parameters[name]));
  if (isScalar(parameters['q']) && parameters['q'] !== '') unreadable.push('q');
  const conditions = ids === null ? parseConditions(q, search, { admin, ignored, unreadable }) : [];
  const mode = q['m'] ?? parameters['m'];
  return {
    page: parsePositiveInteger(parameters['page'], 1, MAX_INT4),
    per_page: parsePositiveInteger(parameters['per_page'], search.perPage ?? DEFAULT_PER_PAGE, MAX_PER_PAGE),
    isPaged: parameters['page'] !== undefined || parameters['per_page'] !== undefined,
    conditions,
    combine: typeof mode === 'string' && mode.toLowerCase() === 'or' ? 'or' : 'and',
    sorts: parseSorts(q['s'] ?? q['sorts'], search, { admin, ignored }),
    ids,
    feed: null,
    ignored,
    unreadable,
  };
}

function isUnreadablePage(raw: unknown): boolean {
  return raw !== undefined && raw !== null && raw !== '' && parsePositiveInteger(raw, 0, MAX_INT4) === 0;
}

function parsePositiveInteger(raw: unknown, fallback: number, max: number): number {
  if (typeof raw !== 'string' && typeof raw !== 'number') return fallback;
  const text = String(raw).trim();
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1) return fallback;
  return Math.min(Number(text), max);
}

function parseIds(raw: unknown): number[] | null {
  if (raw === undefined || raw === null || raw === '') return null;
  const list = typeof raw === 'string' || typeof raw === 'number' ? String(raw).split(',') : toList(raw);
  const ids = (list ?? [])
    .slice(0, 1000)
    .map((entry) => (typeof entry === 'string' || typeof entry === 'number' ? String(entry).trim() : ''))
    .filter((entry) => /^\d{1,10}$/.test(entry) && Number(entry) <= MAX_INT4)
    .map(Number);
  return [...new Set(ids)];
}

/** Keys of `q` that are not conditions. */
const NOT_CONDITIONS = new Set(['s', 'sorts', 'm']);

function parseConditions(
  q: Record<string, unknown>,
  search: SearchDefinition,
  context: { admin: boolean; ignored: string[]; unreadable: string[] },
): Condition[] {
  const conditions: Condition[] = [];
  const remaining: Remaining = { ...LIMITS, compared: context.admin ? null : { ...LIMITS_OF_OTHERS } };
  for (const [key, value] of Object.entries(q)) {
    if (NOT_CONDITIONS.has(key)) continue;
    const named = key.length > LIMITS.name ? null : parseName(key, search, context.admin);
    if (named !== null && isEmptyValue(value)) continue;
    const condition =
      named !== null && reserve(named, value, remaining) ? buildCondition(named, value) : null;
    if (condition === null) context.ignored.push(key);
    else {
      conditions.push(condition);
      if (named !== null && !isReadable(named, value)) context.unreadable.push(`q.${key}`);
    }
  }
  return conditions;
}

/** The parsed name of a condition. */
interface NamedCondition {
  predicate: string;
  attributes: readonly ResolvedAttribute[];
  combine: 'and' | 'or';
}

interface Remaining {
  tests: number;
  comparisons: number;
  /** Null for admins. */
  compared: typeof LIMITS_OF_OTHERS | null;
}

/** Subtracts the cost of the condition from `remaining`. Returns false, without subtracting, if it exceeds a limit. */
function reserve({ attributes, predicate }: NamedCondition, value: unknown, remaining: Remaining): boolean {
  const tests = attributes.length;
  const values = listValues(value);
  const comparisons = tests * values.length;
  if (tests > remaining.tests || comparisons > remaining.comparisons) return false;
  // Members of a list are looked up together.
  if (remaining.compared !== null && predicate !== 'in' && predicate !== 'not_in') {
    const { compared } = remaining;
    const characters = values.reduce<number>((sum, one) => sum + (isScalar(one) ? String(one).length : 0), 0);
    if (values.length > compared.values || characters > compared.characters) return false;
    if (comparisons > compared.comparisons) return false;
    compared.values -= values.length;
    compared.characters -= characters;
    compared.comparisons -= comparisons;
  }
  remaining.tests -= tests;
  remaining.comparisons -= comparisons;
  return true;
}

function parseName(key: string, search: SearchDefinition, admin: boolean): NamedCondition | null {
  const predicate = PREDICATES.find((name) => key.endsWith(`_${name}`));
  if (predicate === undefined) return null;
  const name = key.slice(0, -(predicate.length + 1));
  for (const combine of ['or', 'and'] as const) {
    const resolved = splitAttributes(name, combine).map((part) => resolveAttribute(search, part, admin));
    const attributes = resolved.filter((attribute) => attribute !== null);
    if (attributes.length < resolved.length) continue;
    return { predicate, attributes, combine: attributes.length > 1 ? combine : 'and' };
  }
  return null;
}

/** Builds the condition; null if the predicate does not exist for one of the attributes. */
function buildCondition(
  { predicate, attributes, combine }: NamedCondition,
  value: unknown,
): Condition | null {
  const tests = attributes.flatMap((attribute) => {
    const test = buildPredicate(predicate, attribute.type, value);
    return test === null ? [] : [{ attribute, test }];
  });
  return tests.length < attributes.length ? null : { attributes: tests, combine };
}

function isReadable({ predicate, attributes }: NamedCondition, value: unknown): boolean {
  return attributes.every(({ type }) => isReadableValue(predicate, type, value));
}

function splitAttributes(name: string, combine: 'and' | 'or'): string[] {
  return name.split(`_${combine}_`);
}

function parseSorts(
  raw: unknown,
  search: SearchDefinition,
  { admin, ignored }: { admin: boolean; ignored: string[] },
): Sort[] {
  const entries = typeof raw === 'string' ? [raw] : (toList(raw ?? '') ?? []);
  const sorts: Sort[] = [];
  const terms = entries.filter((entry) => typeof entry === 'string').flatMap((entry) => entry.split(','));
  for (const [index, term] of terms.entries()) {
    const [name = '', direction] = term.trim().split(/\s+/);
    if (name === '') continue;
    const sort = index < LIMITS.sorts ? parseSort(name, direction?.toLowerCase(), search, admin) : null;
    if (sort === null || !canSortBy(sorts, sort.attribute)) ignored.push(name);
    else sorts.push(sort);
  }
  return sorts;
}

function parseSort(
  name: string,
  direction: string | undefined,
  search: SearchDefinition,
  admin: boolean,
): Sort | null {
  const sql = Object.hasOwn(search.orders ?? {}, name) ? search.orders?.[name] : undefined;
  if (sql !== undefined) {
    const attribute: ResolvedAttribute = { path: [], pathKey: '', type: 'decimal', sql };
    return { attribute, direction: direction === 'asc' ? 'asc' : 'desc', order: name };
  }
  const attribute = resolveAttribute(search, name, admin);
  return attribute && { attribute, direction: direction === 'desc' ? 'desc' : 'asc' };
}

function canSortBy(sorts: readonly Sort[], { path, type }: ResolvedAttribute): boolean {
  const isAssociated = (one: Sort) => one.attribute.path.length > 0;
  if (type === 'json') return false;
  return path.length === 0 || sorts.filter(isAssociated).length < LIMITS.associated_sorts;
}
