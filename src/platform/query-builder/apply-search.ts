import type { Knex } from 'knex';
import { groupBy } from '../group-by';
import type { ResolvedAttribute, SearchDefinition } from './define-search';
import type { Condition, ListQuery, Sort } from './list-query';
import type { SqlCondition } from './predicates';

/**
 * Adds the WHERE of a list request to `query` and returns it. Associations become EXISTS, so a row never appears
 * twice and counts stay true.
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

/** Adds ORDER BY, LIMIT and OFFSET of a list request and returns the query; ties always break by ascending id. */
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

/** Adds only the ORDER BY, for lists that are not paged, and returns the query. */
export function applySort<Q extends Knex.QueryBuilder>(
  query: Q,
  list: ListQuery,
  search: SearchDefinition,
): Q {
  const terms = list.sorts.length > 0 ? list.sorts.map((sort) => buildSort(sort, search)) : search.baseOrder;
  void query.orderByRaw([...terms, `${search.table}.id ASC`].join(', '));
  return query;
}

/** What must hold of the same associated row stands together, as joins would have it; alternatives one by one. */
function buildConditions(list: ListQuery, search: SearchDefinition): SqlCondition[] {
  if (list.combine === 'or') return list.conditions.map((condition) => buildCondition(condition, search.table));
  const isAlternative = ({ combine }: Condition) => combine === 'or';
  const alternatives = list.conditions.filter(isAlternative);
  const demands = list.conditions.filter((condition) => !isAlternative(condition));
  return [
    ...buildJoinedConditions(
      demands.flatMap(({ attributes }) => attributes),
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

/** One condition for each path the tests take: a join less for the planner, and one row that meets them all. */
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

/** Each alternative is a query of its own, so that each can use its own index; OR over EXISTS could use none. */
function joinWithUnion(parts: readonly SqlCondition[], table: string): SqlCondition {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return {
    sql: `${table}.id IN (${parts.map((part) => `SELECT ${table}.id FROM ${table} WHERE ${part.sql}`).join(' UNION ')})`,
    bindings: parts.flatMap((part) => part.bindings),
  };
}

/** All `tests` hold for one row at the end of their common path (the root row itself when the path is empty). */
function buildExists(tests: Condition['attributes'], table: string): SqlCondition {
  const path = tests[0]?.attribute.path ?? [];
  const target = path.length === 0 ? table : buildAlias(path.length - 1);
  const conditions = tests.map(({ attribute, test }) => test(attribute.sql(target)));
  const sql = conditions.map((condition) => `(${condition.sql})`).join(' AND ');
  const bindings = conditions.flatMap((condition) => condition.bindings);
  if (path.length === 0) return { sql, bindings };
  return { sql: `EXISTS (SELECT 1 FROM ${joinPath(path, table)} AND ${sql})`, bindings };
}

const buildAlias = (depth: number): string => `a${depth}`;

function joinPath(path: ResolvedAttribute['path'], table: string): string {
  const tables = path.map((association, depth) => `${association.table} AS ${buildAlias(depth)}`).join(', ');
  const conditions = path.map((association, depth) =>
    association.on(depth === 0 ? table : buildAlias(depth - 1), buildAlias(depth)),
  );
  return `${tables} WHERE ${conditions.map((condition) => `(${condition})`).join(' AND ')}`;
}

/** To-many associations sort by their least value ascending, their greatest descending. NULLs: last, then first. */
function buildSort(sort: Sort, search: SearchDefinition): string {
  const { attribute, direction } = sort;
  if (attribute.path.length === 0) return `${attribute.sql(search.table)} ${direction}`;
  const column = attribute.sql(buildAlias(attribute.path.length - 1));
  const comparable = attribute.type === 'boolean' ? `CAST(${column} AS integer)` : column;
  const extreme = direction === 'asc' ? 'min' : 'max';
  return `(SELECT ${extreme}(${comparable}) FROM ${joinPath(attribute.path, search.table)}) ${direction}`;
}
