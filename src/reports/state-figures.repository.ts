import type { Db } from '../platform/database/knex';
import { buildFigure, type Figure } from '../platform/metrics/figures';
import { ORDER_STATES, PAYMENT_STATES } from '../sales/order/states';

/** Counts orders by state. */
export async function readOrderFigures(db: Db): Promise<Figure[]> {
  const { rows } = await db.raw<{ rows: { state: string; count: number }[] }>(
    'SELECT state, count(*)::integer AS count FROM orders GROUP BY state',
  );
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  const values = ORDER_STATES.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
  return [{ name: 'store_orders_total', help: 'Orders, by state', values }];
}

interface PaymentSum {
  state: string;
  currency: string;
  count: number;
  amount: string;
}

/** Counts payments and their amounts by state, and operations at gateways without a recorded outcome. */
export async function readPaymentFigures(db: Db): Promise<Figure[]> {
  const { rows: sums } = await db.raw<{ rows: PaymentSum[] }>(
    `SELECT p.state, o.currency, count(*)::integer AS count, sum(p.amount) AS amount
       FROM payments p JOIN orders o ON o.id = p.order_id GROUP BY p.state, o.currency`,
  );
  const { rows: running } = await db.raw<{ rows: { count: number; age: number }[] }>(
    `SELECT count(*)::integer AS count,
            COALESCE(EXTRACT(EPOCH FROM now() - min(started_at)), 0)::double precision AS age
       FROM payment_operations WHERE state = 'started'`,
  );
  const { count = 0, age = 0 } = running[0] ?? {};
  const countOf = (state: string): number =>
    sums.filter((sum) => sum.state === state).reduce((total, sum) => total + sum.count, 0);
  return [
    {
      name: 'store_payments_total',
      help: 'Payments, by state',
      values: PAYMENT_STATES.map((state) => ({ labels: { state }, value: countOf(state) })),
    },
    {
      name: 'store_payments_amount',
      help: 'Sum of the amounts of payments, by state and currency',
      // Prometheus knows floats only; nothing is calculated from them.
      values: sums.map(({ state, currency, amount }) => ({
        labels: { state, currency },
        value: Number(amount),
      })),
    },
    buildFigure(
      'store_payment_operations_running',
      'Calls of gateways whose outcome is not recorded yet',
      count,
    ),
    buildFigure('store_payment_operations_oldest_seconds', 'Age of the oldest of them', age),
  ];
}
