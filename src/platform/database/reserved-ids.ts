import type { Tx } from './transaction';

/** The ids that a process takes from a sequence at once. Unused ones stay gaps. */
const BLOCK = 64;

/** Reserved ids by pool and table. */
const reserved = new WeakMap<object, Map<string, number[]>>();

const RESERVE = {
  name: 'reserve_ids',
  sql: `SELECT t.name, nextval(pg_get_serial_sequence(t.name, 'id'))::integer AS id
          FROM json_to_recordset(?::json) AS t(name text, quantity integer)
         CROSS JOIN LATERAL generate_series(1, t.quantity)`,
};

/**
 * Takes ids for new rows, by table, so that rows can refer to each other before they are written. Usually no statement.
 * Ids of different processes are not in the order of their use: sort by `created_at`, then by id. After a failover
 * from a primary whose last writes are lost, ids may already be taken: the inserts of the rows must declare their
 * primary key as generated (`PreparedStatement`).
 * @returns for each table as many ids as requested, ascending
 */
export async function takeIds(
  tx: Tx,
  quantities: ReadonlyMap<string, number>,
): Promise<Map<string, number[]>> {
  const blocks = reserved.get(tx.pool) ?? new Map<string, number[]>();
  reserved.set(tx.pool, blocks);
  for (;;) {
    const short = [...quantities].filter(([table, quantity]) => (blocks.get(table)?.length ?? 0) < quantity);
    // While this transaction waits for ids of one table, others may take those of another one.
    if (short.length === 0) break;
    const wanted = short.map(([name, quantity]) => ({ name, quantity: Math.max(BLOCK, quantity) }));
    const rows = await tx.query<{ name: string; id: number }>(RESERVE, [JSON.stringify(wanted)]);
    for (const { name, id } of rows) {
      const block = blocks.get(name) ?? [];
      blocks.set(name, block);
      block.push(id);
    }
  }
  const take = (table: string, quantity: number): number[] => {
    const ids = (blocks.get(table) ?? []).splice(0, quantity);
    // Blocks of concurrent transactions may arrive in another order.
    return ids.sort((one, other) => one - other);
  };
  return new Map([...quantities].map(([table, quantity]) => [table, take(table, quantity)]));
}
