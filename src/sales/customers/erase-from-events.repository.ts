import { isRecord } from '../../platform/parameters';
import type { Tx } from '../../platform/database/transaction';

/** What the JSON of records says about a person. */
const PERSONAL = new Set([
  ...['email', 'firstname', 'lastname', 'full_name', 'company', 'phone', 'alternative_phone', 'address1'],
  ...['address2', 'city', 'zipcode', 'vat_id', 'special_instructions', 'last_digits', 'month', 'year'],
  ...['customer_memo', 'memo'],
]);

/** How many events are in memory at once. */
const BATCH = 100;

/**
 * Replaces what the events of accounts and of locked orders say about a person. Events that are noted and not published are
 * published with what the erasure leaves.
 * @param users the account and those merged into it
 */
export async function eraseFromEvents(
  tx: Tx,
  orders: readonly number[],
  users: readonly number[],
): Promise<void> {
  await tx.raw("UPDATE event_notes SET record = NULL WHERE kind = 'order' AND subject_id = ANY (?)", [
    [...orders],
  ]);
  for (let after = '0'; ;) {
    const { rows } = await tx.raw<{ rows: { id: string; data: unknown }[] }>(
      `SELECT id, data FROM events
        WHERE id > ? AND (order_id = ANY (?) OR subject_type = 'customer' AND subject_id = ANY (?)) ORDER BY id LIMIT ?`,
      [after, [...orders], [...users], BATCH],
    );
    for (const { id, data } of rows)
      await tx.raw('UPDATE events SET data = ? WHERE id = ?', [JSON.stringify(hide(data)), id]);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) return;
  }
}

function hide(value: unknown, key = ''): unknown {
  if (key.endsWith('metadata')) return {};
  if (Array.isArray(value)) return value.map((item) => hide(item));
  if (!isRecord(value)) return PERSONAL.has(key) && typeof value === 'string' ? 'erased' : value;
  const isCard = 'last_digits' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isCard && name === 'name' ? 'erased' : hide(one, name),
    ]),
  );
}
