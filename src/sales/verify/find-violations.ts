import type { Db } from '../../platform/database/knex';
import { amountInvariants, orphanInvariant, sequenceInvariant } from './built-invariants';
import type { Invariant } from './invariant';
import { readInvariants } from './read-invariants';

/** All invariants, in the order of the report. */
export const INVARIANTS: readonly Invariant[] = [
  ...['stock', 'order'].flatMap(readInvariants),
  ...amountInvariants,
  ...['sale', 'adjustment', 'promotion', 'payment', 'shipment', 'return'].flatMap(readInvariants),
  ...['document', 'book', 'evidence', 'listing', 'history', 'event'].flatMap(readInvariants),
  orphanInvariant,
  ...['reference', 'secret', 'database'].flatMap(readInvariants),
  sequenceInvariant,
];

/** The maximum number of violating rows that are listed for each invariant; the others are only counted. */
const MAX_LISTED_ROWS = 100;

/** The `work_mem` of the checks; the history of a large store does not fit into the default. */
const SORT_MEMORY = '64MB';

/** The time of one check. With 100,000 orders each takes seconds. */
const MAX_TIME = '10min';

/** A violated invariant, with the violating rows. */
export interface Violation {
  invariant: string;
  rule: string;
  table: string;
  /** The number of violating rows; `rows` lists the first hundred. */
  total: number;
  rows: { id: number; order_id: number | null; detail: string }[];
}

/**
 * Limits a check to these orders, for tests that share a database. Rows that belong to no order are checked, too, but not the database
 * as a whole (`isOfDatabase`), which takes longer than everything else in a small store.
 */
export interface Scope {
  order_ids: readonly number[];
}

type FoundRow = Violation['rows'][number] & { total: number };

/**
 * Checks every invariant, with one statement each, in one read-only snapshot. Safe while the store is running.
 * @returns the violations; empty if there are none
 */
export async function findViolations(db: Db, scope?: Scope): Promise<Violation[]> {
  return db.transaction(
    async (snapshot) => {
      await limitChecks(snapshot);
      return findViolationsIn(snapshot, scope);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

/**
 * Gives the checks of a transaction memory, and ends them when they take too long or their client is gone; otherwise
 * PostgreSQL would notice neither before the end of a statement.
 */
export async function limitChecks(tx: Db): Promise<void> {
  await tx.raw(`
    SET LOCAL work_mem = '${SORT_MEMORY}';
    SET LOCAL statement_timeout = '${MAX_TIME}';
    DO $$ BEGIN
      PERFORM set_config('client_connection_check_interval', '2s', true);
    EXCEPTION WHEN invalid_parameter_value THEN
      NULL; -- Windows cannot check it.
    END $$`);
}

/** Checks every invariant inside an existing transaction, including its uncommitted changes. */
export async function findViolationsIn(db: Db, scope?: Scope): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const invariant of INVARIANTS) {
    if (scope !== undefined && invariant.isOfDatabase === true) continue;
    const rows = await findViolatingRows(db, invariant, scope);
    const [first] = rows;
    if (first === undefined) continue;
    const { name, rule, table } = invariant;
    const listed = rows.map(({ id, order_id, detail }) => ({ id, order_id, detail }));
    violations.push({ invariant: name, rule, table, total: first.total, rows: listed });
  }
  return violations;
}

/** Returns the first rows that violate an invariant, each with the number of all. Sees the changes of the transaction. */
export async function findViolatingRows(db: Db, invariant: Invariant, scope?: Scope): Promise<FoundRow[]> {
  const sql = typeof invariant.sql === 'string' ? invariant.sql : await invariant.sql(db);
  const listed = `SELECT id::integer, order_id, detail, count(*) OVER ()::integer AS total FROM`;
  const firstRows = `ORDER BY id LIMIT ${MAX_LISTED_ROWS}`;
  const found = await db.raw<{ rows: FoundRow[] }>(
    scope === undefined
      ? // Before PostgreSQL 16, a window counts as if its first row were free: with LIMIT, large tables were joined by nested loops.
        `WITH violating AS MATERIALIZED (${sql}) ${listed} violating ${firstRows}`
      : `${listed} (${sql}) AS violating WHERE order_id IS NULL OR order_id = ANY(:order_ids) ${firstRows}`,
    { ...invariant.bindings, ...(scope !== undefined && { order_ids: [...scope.order_ids] }) },
  );
  return found.rows;
}
