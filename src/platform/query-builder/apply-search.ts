import type { Knex } from 'knex';
import { groupBy } from '../group-by';
import type { ResolvedAttribute, SearchDefinition } from './define-search';
import type { Condition, ListQuery, Sort } from './list-query';
import type { SqlCondition } from './predicates';

/**
 * Adds the WHERE clause of a list request to `query` and returns it. Associations become EXISTS, so each row appears
 * once and counts are correct.
 */
export function applyFilters<Q extends Knex.QueryBuilder>(
  query: Q,
  list: ListQuery,
  search: SearchDefinition,
): Q {
  if (list.ids !== null) {
    void query.whereIn(`${search.table}.id`, list.ids);
    return query;
  }
  const parts = buildConditions(list, search);
  if (parts.length === 0) return query;
  const whole = list.combine === 'or' ? joinWithUnion(parts, search.table) : joinWithAnd(parts);
  void query.whereRaw(whole.sql, whole.bindings);
  return query;
}

/** Adds ORDER BY, LIMIT and OFFSET of a list request and returns the query. Ties are ordered by ascending id. */
export function applySortAndPage<Q extends Knex.QueryBuilder>(
  query: Q,
  list: ListQuery,
  search: SearchDefinition,
): Q {
  void applySort(query, list, search)
    .limit(list.per_page)
    .offset((list.page - 1) * list.per_page);
  return query;
}

/** Adds only ORDER BY, for lists without pages, and returns the query. */
export function applySort<Q extends Knex.QueryBuilder>(
  query: Q,
  list: ListQuery,
  search: SearchDefinition,
): Q {
  void query.orderByRaw(buildOrderSql(list, search));
  return query;
}

/** Builds the terms of ORDER BY, without bindings. */
export function buildOrderSql(list: ListQuery, search: SearchDefinition): string {
  const terms = list.sorts.length > 0 ? list.sorts.map((sort) => buildSort(sort, search)) : search.baseOrder;
  return [...terms, `${search.table}.id ASC`].join(', ');
}

/**
 * Builds the conditions. Those that the same associated row must meet are combined, as in a join; alternatives are
 * separate.
 */
function buildConditions(list: ListQuery, search: SearchDefinition): SqlCondition[] {
  if (list.combine === 'or')
    return list.conditions.map((condition) => buildCondition(condition, search.table));
  const isAlternative = ({ combine }: Condition) => combine === 'or';
  const alternatives = list.conditions.filter(isAlternative);
  const required = list.conditions.filter((condition) => !isAlternative(condition));
  return [
    ...buildJoinedConditions(
      required.flatMap(({ attributes }) => attributes),
      search.table,
    ),
    ...alternatives.map((condition) => buildCondition(condition, search.table)),
  ];
}

function buildCondition({ attributes, combine }: Condition, table: string): SqlCondition {
  if (combine === 'and') return joinWithAnd(buildJoinedConditions(attributes, table));
  return joinWithUnion(
    attributes.map((one) => buildExists([one], table)),
    table,
  );
}

/** Builds one condition for each association path, so that one row must meet all its tests. Also saves joins. */
function buildJoinedConditions(tests: Condition['attributes'], table: string): SqlCondition[] {
  const byPath = groupBy(tests, ({ attribute }) => attribute.pathKey);
  return [...byPath.values()].map((group) => buildExists(group, table));
}

function joinWithAnd(parts: readonly SqlCondition[]): SqlCondition {
  return {
    sql: parts.map((part) => `(${part.sql})`).join(' AND '),
    bindings: parts.flatMap((part) => part.bindings),
  };
}

/** Combines alternatives as a UNION, so that each can use its own index. OR over EXISTS could not use any. */
function joinWithUnion(parts: readonly SqlCondition[], table: string): SqlCondition {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return {
    sql: `${table}.id IN (${parts.map((part) => `SELECT ${table}.id FROM ${table} WHERE ${part.sql}`).join(' UNION ')})`,
    bindings: parts.flatMap((part) => part.bindings),
  };
}

/**
 * Builds the condition that one row at the end of the common path meets all `tests`; the root row if the path is empty.
 * The attributes of an associated record that does not exist are null.
 */
function buildExists(tests: Condition['attributes'], table: string): SqlCondition {
  const path = tests[0]?.attribute.path ?? [];
  const target = path.length === 0 ? table : buildAlias(path.length - 1);
  const conditions = tests.map(({ attribute, test }) => test(attribute.sql(target)));
  const sql = conditions.map((condition) => `(${condition.sql})`).join(' AND ');
  const bindings = conditions.flatMap((condition) => condition.bindings);
  if (path.length === 0) return { sql, bindings };
  const found = { sql: `EXISTS (SELECT 1 FROM ${joinPath(path, table)} AND ${sql})`, bindings };
  if (!conditions.every(({ matchesNull }) => matchesNull === true)) return found;
  return joinWithUnion([found, ...path.map((_, depth) => buildMissing(path, depth, table))], table);
}

/** Builds the condition that a record of the path before `depth` has no associated record there. */
function buildMissing(path: ResolvedAttribute['path'], depth: number, table: string): SqlCondition {
  const missing = `NOT EXISTS (SELECT 1 FROM ${joinPath(path.slice(0, depth + 1), table, depth)})`;
  if (depth === 0) return { sql: missing, bindings: [] };
  return {
    sql: `EXISTS (SELECT 1 FROM ${joinPath(path.slice(0, depth), table)} AND ${missing})`,
    bindings: [],
  };
}

const buildAlias = (depth: number): string => `a${depth}`;

/** Joins the tables of the path, from the one at `start` on; a query around it has those before. */
function joinPath(path: ResolvedAttribute['path'], table: string, start = 0): string {
  const steps = path.map((association, depth) => ({
    table: `${association.table} AS ${buildAlias(depth)}`,
    condition: association.on(depth === 0 ? table : buildAlias(depth - 1), buildAlias(depth)),
  }));
  const joined = steps.slice(start);
  const conditions = joined.map(({ condition }) => `(${condition})`).join(' AND ');
  return `${joined.map((step) => step.table).join(', ')} WHERE ${conditions}`;
}

/**
 * Builds an ORDER BY term. To-many associations sort by their minimum (ascending, NULLs last) or maximum (descending,
 * NULLs first).
 */
function buildSort(sort: Sort, search: SearchDefinition): string {
  const { attribute, direction } = sort;
  const end = sort.order === undefined ? '' : ' NULLS LAST';
  if (attribute.path.length === 0) return `${attribute.sql(search.table)} ${direction}${end}`;
  const column = attribute.sql(buildAlias(attribute.path.length - 1));
  const comparable = attribute.type === 'boolean' ? `CAST(${column} AS integer)` : column;
  const extreme = direction === 'asc' ? 'min' : 'max';
  return `(SELECT ${extreme}(${comparable}) FROM ${joinPath(attribute.path, search.table)}) ${direction}`;
}
