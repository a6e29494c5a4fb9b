import type { Db } from '../../platform/database/knex';
import { adjustmentInvariants } from './adjustment.invariants';
import { databaseInvariants } from './database.invariants';
import { historyInvariants } from './history.invariants';
import type { Invariant } from './invariant';
import { orderInvariants } from './order.invariants';
import { paymentInvariants } from './payment.invariants';
import { promotionInvariants } from './promotion.invariants';
import { referenceInvariants } from './reference.invariants';
import { returnInvariants } from './return.invariants';
import { saleInvariants } from './sale.invariants';
import { secretInvariants } from './secret.invariants';
import { shipmentInvariants } from './shipment.invariants';
import { stockInvariants } from './stock.invariants';

/** All that is checked, in the order it is reported. */
export const INVARIANTS: readonly Invariant[] = [
  ...stockInvariants,
  ...orderInvariants,
  ...saleInvariants,
  ...adjustmentInvariants,
  ...promotionInvariants,
  ...paymentInvariants,
  ...shipmentInvariants,
  ...returnInvariants,
  ...historyInvariants,
  ...referenceInvariants,
  ...secretInvariants,
  ...databaseInvariants,
];

/** As many broken rows of one invariant are named; the rest are counted. */
const MAX_LISTED_ROWS = 100;

/** What PostgreSQL may use for each sort and join of a check; the history of a large store does not fit into the default. */
const SORT_MEMORY = '64MB';

/** An invariant that does not hold, and where. */
export interface Violation {
  invariant: string;
  rule: string;
  table: string;
  /** How many rows break it; `rows` names the first hundred. */
  total: number;
  rows: { id: number; order_id: number | null; detail: string }[];
}

/** Look at these orders only, for tests that share their database; what concerns no order is looked at all the same. */
export interface Scope {
  order_ids: readonly number[];
}

type FoundRow = Violation['rows'][number] & { total: number };

/**
 * Checks every invariant of the shop's stock, orders, payments, shipments, returns and their history. Changes nothing
 * and may run beside a busy store: all statements, one for each invariant, see the same moment.
 * @returns what does not hold; empty when all is well
 */
export async function findViolations(db: Db, scope?: Scope): Promise<Violation[]> {
  return db.transaction(
    async (snapshot) => {
      await snapshot.raw(`SET LOCAL work_mem = '${SORT_MEMORY}'`);
      return findViolationsIn(snapshot, scope);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

/** The same inside a transaction of the caller's, with what that has changed. */
export async function findViolationsIn(db: Db, scope?: Scope): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const invariant of INVARIANTS) {
    const rows = await findViolatingRows(db, invariant, scope);
    const [first] = rows;
    if (first === undefined) continue;
    const { name, rule, table } = invariant;
    const named = rows.map(({ id, order_id, detail }) => ({ id, order_id, detail }));
    violations.push({ invariant: name, rule, table, total: first.total, rows: named });
  }
  return violations;
}

async function findViolatingRows(db: Db, invariant: Invariant, scope?: Scope): Promise<FoundRow[]> {
  const within = scope === undefined ? '' : 'WHERE order_id IS NULL OR order_id = ANY(:order_ids)';
  const sql = typeof invariant.sql === 'string' ? invariant.sql : await invariant.sql(db);
  const found = await db.raw<{ rows: FoundRow[] }>(
    `SELECT id::integer, order_id, detail, count(*) OVER ()::integer AS total
       FROM (${sql}) AS broken ${within} ORDER BY id LIMIT ${MAX_LISTED_ROWS}`,
    { ...invariant.bindings, ...(scope !== undefined && { order_ids: [...scope.order_ids] }) },
  );
  return found.rows;
}
