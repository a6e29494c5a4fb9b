import type { Claim, Evidence } from './claims';

/** What the store has recorded about an authorization, in cents. */
interface Recorded {
  authorization: string;
  number: string;
  pending: number;
  captured: number;
  refunded: number;
  refunds: number;
}

/** Captures that leave a rest make several payments of one authorization. */
const RECORDED = `
  SELECT response_code AS authorization, min(orders.number) AS number,
         (coalesce(sum(payments.amount) FILTER (WHERE payments.state = 'pending'), 0) * 100)::integer AS pending,
         (coalesce(sum(payments.amount) FILTER (WHERE payments.state = 'completed'), 0) * 100)::integer AS captured,
         (coalesce(sum(refunded.amount), 0) * 100)::integer AS refunded, coalesce(sum(refunded.count), 0)::integer AS refunds
    FROM payments JOIN orders ON orders.id = payments.order_id
    LEFT JOIN LATERAL (SELECT sum(amount) AS amount, count(*) AS count FROM refunds WHERE payment_id = payments.id) refunded ON true
   WHERE response_code IS NOT NULL GROUP BY response_code`;

/** Compares the books of the payment provider with the books of the store. */
export async function checkMoney({ db, stage, sales }: Evidence): Promise<Claim[]> {
  const { intents, refunds } = stage.outside.stripe;
  const { rows } = await db.raw<{ rows: Recorded[] }>(RECORDED);
  const recorded = new Map(rows.map((row) => [row.authorization, row]));
  const given = new Map<string, number>();
  for (const refund of refunds.values()) {
    const { payment_intent, amount } = refund as { payment_intent: string; amount: number }; // as the stand-in makes them
    given.set(payment_intent, (given.get(payment_intent) ?? 0) + amount);
  }
  const charges = new Map<string, number>();
  const money: string[] = [];
  for (const intent of intents.values()) {
    const isLive = intent.status !== 'canceled';
    const order = intent.metadata['order'] ?? 'unknown';
    if (isLive) charges.set(order, (charges.get(order) ?? 0) + 1);
    const refunded = given.get(intent.id) ?? 0;
    const held = intent.status === 'requires_capture' ? intent.amount_capturable : 0;
    const theirs = [intent.amount_received, refunded, held];
    const row = recorded.get(intent.id);
    const ours = [row?.captured ?? 0, row?.refunded ?? 0, held === 0 ? 0 : (row?.pending ?? 0)];
    if (String(theirs) !== String(ours))
      money.push(
        `order ${order}: captured, refunded, held ${String(theirs)} at the provider, ${String(ours)} here`,
      );
  }
  const twice = [...charges]
    .filter(([, count]) => count > 1)
    .map(([order]) => `order ${order} is charged twice`);
  const unpaid = sales.flatMap(({ number, state }) =>
    state === 'complete' && charges.get(number) !== 1 ? [`order ${number} is sold without a charge`] : [],
  );
  return [
    { name: 'nothing is charged twice', checked: intents.size, breaches: [...twice, ...unpaid] },
    { name: 'the books of the provider agree', checked: intents.size, breaches: money },
    checkRefunds(sales, rows),
  ];
}

/** Each refund that a client has asked for was given once. */
function checkRefunds(sales: Evidence['sales'], rows: readonly Recorded[]): Claim {
  const given = new Map<string, number>();
  for (const { number, refunds } of rows) given.set(number, (given.get(number) ?? 0) + refunds);
  const breaches = sales.flatMap(({ number, refunds, state }) =>
    state === 'canceled' || (given.get(number) ?? 0) === refunds
      ? []
      : [`order ${number}: ${refunds} refunds were answered, ${given.get(number) ?? 0} given`],
  );
  return { name: 'nothing is refunded twice', checked: sales.length, breaches };
}
