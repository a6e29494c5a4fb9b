import type { Knex } from 'knex';
import { INVARIANTS, limitChecks } from '../../src/sales/verify/find-violations';

/** The part of a plan of EXPLAIN that is read. */
interface Plan {
  'Node Type': string;
  'Plan Rows': number;
  Plans?: Plan[];
}

/** A loop over more pairs of rows takes longer than all other checks of a large store. */
const MAX_PAIRS = 1_000_000;

/** Nodes that read all their rows for each row of the other side of a nested loop. */
const WHOLE = ['Seq Scan', 'CTE Scan', 'Subquery Scan', 'Materialize'];

function isQuadratic(plan: Plan): boolean {
  const [outer, inner] = plan.Plans ?? [];
  if (plan['Node Type'] !== 'Nested Loop' || outer === undefined || inner === undefined) return false;
  return WHOLE.includes(inner['Node Type']) && outer['Plan Rows'] * inner['Plan Rows'] > MAX_PAIRS;
}

function listNodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)];
}

/**
 * Returns the names of the invariants whose checks take time that grows with the square of the orders. The tables must be
 * analyzed. @param settings of the planner, as SQL
 */
export async function listQuadraticInvariants(db: Knex, settings = 'SELECT 1'): Promise<string[]> {
  const found: string[] = [];
  await db.transaction(async (tx) => {
    await limitChecks(tx);
    await tx.raw(settings);
    for (const { name, sql, bindings = {} } of INVARIANTS) {
      const text = typeof sql === 'string' ? sql : await sql(tx);
      const { rows } = await tx.raw<{ rows: [{ 'QUERY PLAN': [{ Plan: Plan }] }] }>(
        `EXPLAIN (FORMAT JSON) ${text}`,
        bindings,
      );
      if (listNodes(rows[0]['QUERY PLAN'][0].Plan).some(isQuadratic)) found.push(name);
    }
  });
  return found;
}
