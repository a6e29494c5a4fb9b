import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Section } from './report';
import { countUnits, setStock } from './sales-data';
import { buildCompletion, buy, type Body, type Client, type Reply, type Shop } from './shopper';

const BUYERS = 200;
const UNITS = 50;

/** Completes 200 orders for the last 50 units at the same time. @throws Error unless exactly 50 units are sold */
export async function measureRace(
  { db, client, shop, variantIds }: { db: Knex; client: Client; shop: Shop; variantIds: number[] },
  section: Section,
): Promise<void> {
  const variant_id = variantIds.at(-1) ?? 0;
  const before = await countUnits(db, variant_id);
  const orders: Body[] = [];
  // Prepare the orders in groups. The measurement starts when all of them are ready.
  while (orders.length < BUYERS) {
    const group = Array.from({ length: 10 }, () =>
      buy(client, shop, { variant_id, quantity: 1 }, { until: 'complete' }),
    );
    orders.push(...(await Promise.all(group)));
  }
  await setStock(db, variant_id, UNITS);

  const started = performance.now();
  const outcomes = await Promise.all(orders.map((order) => completeWithRetries(client, order)));
  const elapsed = performance.now() - started;
  const { sold, left } = await countUnits(db, variant_id);
  const statuses = new Map<number, number>();
  for (const { reply } of outcomes) statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  const replies = [...statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
  const retries = outcomes.reduce((sum, { repeats }) => sum + repeats, 0);
  section.addFinding(
    `${BUYERS} buyers, ${UNITS} units`,
    `${sold - before.sold} sold, ${left} left in ${(elapsed / 1000).toFixed(1)} s; ${replies}; ${retries} retries`,
  );
  if (sold - before.sold !== UNITS || left !== 0)
    throw new Error(`the race sold ${sold - before.sold} units and left ${left}, expected ${UNITS} and 0`);
}

/** Completes an order and retries on 503 and 409, as clients do. */
async function completeWithRetries(client: Client, order: Body): Promise<{ reply: Reply; repeats: number }> {
  for (let repeats = 0; ; repeats += 1) {
    const reply = await client.send(buildCompletion(order));
    if (![503, 409].includes(reply.status) || repeats === 20) return { reply, repeats };
    await wait((reply.retryAfter ?? 0.1) * 1000 * (0.5 + Math.random() / 2));
  }
}
