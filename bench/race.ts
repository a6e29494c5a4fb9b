import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Section } from './report';
import { soldOf, stockExactly } from './sales-data';
import { buy, completion, type Body, type Client, type Reply, type Shop } from './shopper';

const BUYERS = 200;
const UNITS = 50;

/** 200 carts that hold the same last 50 units are completed at once. @throws when more or fewer are sold than there are */
export async function measureRace(
  { db, client, shop, variantIds }: { db: Knex; client: Client; shop: Shop; variantIds: number[] },
  section: Section,
): Promise<void> {
  const variant_id = variantIds.at(-1) ?? 0;
  const before = await soldOf(db, variant_id);
  const orders: Body[] = [];
  // In groups: what is measured begins when all of them are ready.
  while (orders.length < BUYERS) {
    const group = Array.from({ length: 10 }, () =>
      buy(client, shop, { variant_id, quantity: 1 }, { until: 'complete' }),
    );
    orders.push(...(await Promise.all(group)));
  }
  await stockExactly(db, variant_id, UNITS);

  const started = performance.now();
  const outcomes = await Promise.all(orders.map((order) => insist(client, order)));
  const elapsed = performance.now() - started;
  const { sold, left } = await soldOf(db, variant_id);
  const statuses = new Map<number, number>();
  for (const { reply } of outcomes) statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  const replies = [...statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
  const again = outcomes.reduce((sum, { repeats }) => sum + repeats, 0);
  section.found(
    `${BUYERS} buyers, ${UNITS} units`,
    `${sold - before.sold} sold, ${left} left in ${(elapsed / 1000).toFixed(1)} s; ${replies}; asked again ${again} times`,
  );
  if (sold - before.sold !== UNITS || left !== 0)
    throw new Error('the race sold what was not there, or not all of it');
}

/** Completes, asking again as a client does that is told the store is busy (503) or the record is (409). */
async function insist(client: Client, order: Body): Promise<{ reply: Reply; repeats: number }> {
  for (let repeats = 0; ; repeats += 1) {
    const reply = await client.ask(completion(order));
    if (![503, 409].includes(reply.status) || repeats === 20) return { reply, repeats };
    await wait((reply.retryAfter ?? 0.1) * 1000 * (0.5 + Math.random() / 2));
  }
}
