import { takeIds } from '../../../src/platform/database/reserved-ids';
import type { Tx } from '../../../src/platform/database/transaction';

/** A transaction whose sequences answer when `answer` is called. */
function makeTx(pool: object) {
  let last = 0;
  const waiting: (() => void)[] = [];
  const query = (_statement: unknown, [json]: [string]) =>
    new Promise((resolve) => {
      waiting.push(() => {
        const wanted: { name: string; quantity: number }[] = JSON.parse(json);
        resolve(
          wanted.flatMap(({ name, quantity }) =>
            Array.from({ length: quantity }, () => ({ name, id: (last += 1) })),
          ),
        );
      });
    });
  // What `takeIds` uses of a transaction.
  const tx = { pool, query } as unknown as Tx;
  return { tx, answer: () => waiting.splice(0).forEach((send) => send()) };
}

const take = (tx: Tx, quantities: Record<string, number>) => takeIds(tx, new Map(Object.entries(quantities)));

test('ids that another transaction takes while one waits for a sequence are reserved again', async () => {
  const { tx, answer } = makeTx({});
  const first = take(tx, { line_items: 62 });
  answer();
  await first;
  // Two ids of line items are left, and none of shipments.
  const slow = take(tx, { line_items: 2, shipments: 1 });
  const quick = (await take(tx, { line_items: 1 })).get('line_items') ?? [];
  answer();
  await new Promise(setImmediate);
  answer();
  const taken = await slow;
  expect(taken.get('shipments')).toHaveLength(1);
  expect(new Set([...quick, ...(taken.get('line_items') ?? [])]).size).toBe(3);
});
