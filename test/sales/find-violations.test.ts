import { withTransaction, type Tx } from '../../src/platform/database/transaction';
import {
  findViolatingRows,
  findViolations,
  findViolationsIn,
  INVARIANTS,
  limitChecks,
  type Violation,
} from '../../src/sales/verify/find-violations';
import { anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { listQueries } from '../support/queries';

/** Orders created through the API. The tests damage them and roll the damage back. */
interface Shop {
  /** Two units on hand, authorized by card, not captured. */
  unpaid: { id: number; number: string; token: string };
  /** As `unpaid`, but captured, and one dollar of it refunded. */
  paid: { id: number; number: string };
  /** Three units, two of them backordered. */
  waiting: { id: number; variant_id: number };
  /** Still in checkout, with proposed shipments. */
  open: { id: number };
}

let shop: Shop;

beforeAll(async () => {
  const unpaid = await orderInState('complete');
  const paid = await orderInState('complete');
  const admin = api(await anAdmin());
  const payment = `/orders/${paid.number}/payments/${paid.payments[0].id}`;
  await admin.put(`${payment}/capture`);
  await admin.put(`${payment}/credit?amount=1.0`);
  const scarce = await aSellableVariant({ stock: 1, backorderable: true });
  const waiting = await orderInState('complete', { lines: [{ variant_id: scarce.id, quantity: 3 }] });
  const open = await orderInState('delivery');
  shop = { unpaid, paid, waiting: { id: waiting.id, variant_id: scarce.id }, open };
});

/** Damages the shop and returns the id of the row, in the invariant's table, that must be reported. */
type Damage = (tx: Tx) => Promise<number>;

/** Runs a damage as a restore writes: without foreign keys and triggers. */
const asRestored =
  (damage: Damage): Damage =>
  async (tx) => {
    await tx.raw('SET LOCAL session_replication_role = replica');
    return damage(tx);
  };

/** Runs SQL with named bindings and returns the first id of its RETURNING clause. */
async function run(tx: Tx, sql: string, bindings: Record<string, string | number> = {}): Promise<number> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(sql, bindings);
  const [first] = rows;
  if (first === undefined) throw new Error(`the statement changed no row: ${sql}`);
  return first.id;
}

const onOrder =
  (which: keyof Shop, sql: string): Damage =>
  (tx) =>
    run(tx, sql, { order: shop[which].id });

const WAITING_ITEM = `SELECT id FROM stock_items WHERE variant_id = :variant AND count_on_hand < 0`;

const RETURN = `
  INSERT INTO return_authorizations (number, order_id, stock_location_id, return_authorization_reason_id)
  SELECT 'RA' || :order, :order, s.stock_location_id, (SELECT min(id) FROM return_authorization_reasons)
    FROM shipments s WHERE s.order_id = :order RETURNING id`;

/** Adds a discount of one dollar to a line item of an order, or to no part of it. */
const discount = (which: keyof Shop, line: 'l.id' | 'NULL::integer'): Damage =>
  onOrder(
    which,
    `WITH promotion AS (INSERT INTO promotions (name) VALUES ('Found') RETURNING id),
          action AS (INSERT INTO promotion_actions (promotion_id, type, percent)
                     SELECT id, 'line_percent', 10 FROM promotion RETURNING id)
     INSERT INTO adjustments (order_id, line_item_id, source_type, source_id, amount, label, action_type, percent)
     SELECT l.order_id, ${line}, 'Store::PromotionAction', action.id, -1.00, 'Promotion (Found)', 'line_percent', 10
       FROM line_items l, action WHERE l.order_id = :order ORDER BY l.id LIMIT 1 RETURNING id`,
  );

const damages: Record<string, Damage> = {
  discounts_are_counted_as_uses: discount('paid', 'l.id'),
  discounts_lower_prices: discount('open', 'NULL::integer'),
  count_is_sum_of_movements: (tx) =>
    run(
      tx,
      `UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = (${WAITING_ITEM}) RETURNING id`,
      {
        variant: shop.waiting.variant_id,
      },
    ),
  backorders_are_owed: async (tx) => {
    const variant = shop.waiting.variant_id;
    await run(
      tx,
      `INSERT INTO stock_movements (stock_item_id, quantity) (${WAITING_ITEM.replace('id', 'id, 1')}) RETURNING id`,
      { variant },
    );
    return run(
      tx,
      `UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = (${WAITING_ITEM}) RETURNING id`,
      { variant },
    );
  },

  order_totals_are_sums: onOrder(
    'unpaid',
    'UPDATE orders SET item_total = item_total + 0.01, total = total + 0.01 WHERE id = :order RETURNING id',
  ),
  line_totals_are_sums: onOrder(
    'unpaid',
    'UPDATE line_items SET promo_total = -1 WHERE order_id = :order RETURNING id',
  ),
  nothing_costs_less_than_nothing: onOrder(
    'unpaid',
    'UPDATE shipments SET adjustment_total = -cost - 0.01 WHERE order_id = :order RETURNING order_id AS id',
  ),
  no_order_costs_less_than_nothing: onOrder(
    'unpaid',
    `UPDATE orders SET adjustment_total = adjustment_total - total - 0.01, total = -0.01
      WHERE id = :order RETURNING id`,
  ),
  adjustments_belong_to_their_order: (tx) =>
    run(
      tx,
      `INSERT INTO adjustments (order_id, line_item_id, amount, label)
       SELECT :order, id, 0, 'astray' FROM line_items WHERE order_id = :other RETURNING id`,
      { order: shop.unpaid.id, other: shop.paid.id },
    ),
  sold_lines_have_their_units: onOrder(
    'unpaid',
    `DELETE FROM inventory_units WHERE id = (SELECT min(id) FROM inventory_units WHERE order_id = :order)
     RETURNING line_item_id AS id`,
  ),
  sold_orders_are_stamped: onOrder(
    'unpaid',
    'UPDATE inventory_units SET pending = true WHERE order_id = :order RETURNING order_id AS id',
  ),

  payment_total_is_what_was_paid: onOrder(
    'paid',
    'UPDATE orders SET payment_total = payment_total + 1 WHERE id = :order RETURNING id',
  ),
  payment_state_follows_payments: onOrder(
    'unpaid',
    `UPDATE orders SET payment_state = 'paid' WHERE id = :order RETURNING id`,
  ),
  payable_orders_have_payments: asRestored(async (tx) => {
    const bindings = { order: shop.unpaid.id };
    await run(tx, 'DELETE FROM payments WHERE order_id = :order RETURNING id', bindings);
    return run(
      tx,
      `DELETE FROM state_changes WHERE order_id = :order AND subject_type = 'payment' RETURNING order_id AS id`,
      bindings,
    );
  }),
  asked_payments_are_kept: asRestored(
    onOrder('unpaid', 'DELETE FROM payments WHERE order_id = :order RETURNING id'),
  ),
  refunds_are_within_their_payment: onOrder(
    'paid',
    `INSERT INTO refunds (payment_id, amount) SELECT id, amount FROM payments WHERE order_id = :order
     RETURNING payment_id AS id`,
  ),
  credits_are_refunded_once: asRestored(
    onOrder(
      'paid',
      `DELETE FROM refunds WHERE payment_id IN (SELECT id FROM payments WHERE order_id = :order)
       RETURNING payment_id AS id`,
    ),
  ),
  processing_payments_are_being_asked: onOrder(
    'unpaid',
    `UPDATE payments SET state = 'processing' WHERE order_id = :order RETURNING id`,
  ),

  units_belong_to_their_order: (tx) =>
    run(
      tx,
      `UPDATE inventory_units SET shipment_id = (SELECT max(id) FROM shipments WHERE order_id = :other)
        WHERE order_id = :order RETURNING id`,
      { order: shop.unpaid.id, other: shop.paid.id },
    ),
  shipped_units_have_left: async (tx) => {
    const bindings = { order: shop.unpaid.id };
    await run(
      tx,
      `UPDATE shipments SET state = 'shipped', shipped_at = now() WHERE order_id = :order RETURNING id`,
      bindings,
    );
    return run(tx, 'SELECT id FROM inventory_units WHERE order_id = :order', bindings);
  },
  shipments_hold_something: onOrder(
    'unpaid',
    `INSERT INTO shipments (number, order_id, stock_location_id)
     SELECT 'H' || :order, order_id, stock_location_id FROM shipments WHERE order_id = :order RETURNING id`,
  ),
  shipment_cost_is_its_rate: onOrder(
    'open',
    'UPDATE shipments SET cost = cost + 1 WHERE order_id = :order RETURNING id',
  ),
  shipment_totals_are_sums: onOrder(
    'open',
    'UPDATE shipments SET additional_tax_total = 1 WHERE order_id = :order RETURNING id',
  ),
  shipment_states_follow: onOrder(
    'unpaid',
    `UPDATE shipments SET state = 'ready' WHERE order_id = :order RETURNING id`,
  ),
  shipment_state_of_orders_follows: onOrder(
    'waiting',
    `UPDATE orders SET shipment_state = 'pending' WHERE id = :order RETURNING id`,
  ),
  returns_hold_their_units: async (tx) => {
    const order = shop.unpaid.id;
    const authorization = await run(tx, RETURN, { order });
    return run(
      tx,
      'UPDATE inventory_units SET return_authorization_id = :authorization WHERE order_id = :order RETURNING id',
      { order, authorization },
    );
  },

  history_ends_at_the_state: onOrder(
    'unpaid',
    `UPDATE state_changes SET to_state = 'canceled' WHERE id = (
       SELECT max(id) FROM state_changes WHERE order_id = :order AND subject_type = 'order') RETURNING id`,
  ),
  history_is_a_chain: onOrder(
    'unpaid',
    `UPDATE state_changes SET from_state = 'cart' WHERE id = (
       SELECT max(id) FROM state_changes WHERE order_id = :order AND subject_type = 'order') RETURNING id`,
  ),
  history_takes_known_steps: onOrder(
    'open',
    `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state)
     SELECT id, 'order', id, state, 'returned' FROM orders WHERE id = :order RETURNING id`,
  ),
  history_is_told_of_its_order: (tx) =>
    run(
      tx,
      `UPDATE state_changes SET order_id = :other WHERE order_id = :order AND subject_type = 'payment' RETURNING id`,
      { order: shop.unpaid.id, other: shop.paid.id },
    ),

  no_token_in_plain: (tx) =>
    run(
      tx,
      `UPDATE orders SET special_instructions = 'token=' || :token || ';' WHERE id = :order RETURNING id`,
      {
        token: shop.unpaid.token,
        order: shop.unpaid.id,
      },
    ),
  no_card_number: onOrder(
    'unpaid',
    `UPDATE payment_operations SET message = 'card 4111-1111-1111-1111 was refused'
      WHERE payment_id IN (SELECT id FROM payments WHERE order_id = :order) RETURNING id`,
  ),
  no_room_for_secrets: async (tx) => {
    await tx.raw('ALTER TABLE credit_cards ADD COLUMN verification_value text');
    return run(
      tx,
      `SELECT ordinal_position::integer AS id FROM information_schema.columns
                     WHERE table_name = 'credit_cards' AND column_name = 'verification_value'`,
    );
  },
};

class Rollback extends Error {}

/** Applies a damage, returns the violations and rolls it back. */
async function findViolationsAfter(damage: Damage): Promise<{ violations: Violation[]; id: number }> {
  let found: { violations: Violation[]; id: number } | undefined;
  const work = withTransaction({ db: testDb() }, async (tx) => {
    const id = await damage(tx);
    found = { id, violations: await findViolationsIn(tx) };
    throw new Rollback();
  });
  await work.catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  if (found === undefined) throw new Error('the check did not run');
  return found;
}

test('open, paid, refunded and backordered orders have no violations', async () => {
  const order_ids = [shop.unpaid.id, shop.paid.id, shop.waiting.id, shop.open.id];
  await expectNoViolations({ order_ids });
});

test.each(Object.keys(damages))('a violation of %s is reported with the row', async (name) => {
  const { violations, id } = await findViolationsAfter(damages[name] as Damage); // a key of the same object
  const violation = violations.find(({ invariant }) => invariant === name);
  expect(violation?.rows).toContainEqual(expect.objectContaining({ id }));
  expect(violation?.rows.find((row) => row.id === id)?.detail).not.toBe('');
});

test('texts that only resemble card numbers or tokens are no violations', async () => {
  const { violations } = await findViolationsAfter((tx) =>
    run(
      tx,
      `UPDATE payment_operations SET message = 'ref 4111111111111112, 12345678901234567890, ' || repeat('a', 43)
        WHERE payment_id IN (SELECT id FROM payments WHERE order_id = :order) RETURNING id`,
      { order: shop.unpaid.id },
    ),
  );
  expect(violations.filter(({ invariant }) => invariant.startsWith('no_'))).toEqual([]);
});

test('a refund of a zero rate, as earlier versions stored it, is no violation', async () => {
  const { violations } = await findViolationsAfter((tx) =>
    run(
      tx,
      `WITH category AS (INSERT INTO tax_categories (name) VALUES ('Zero') RETURNING id),
            rate AS (INSERT INTO tax_rates (name, amount, tax_category_id, included_in_price)
                     SELECT 'Zero', 0, id, true FROM category RETURNING id)
       INSERT INTO adjustments (order_id, line_item_id, source_type, source_id, amount, label, rate, included_rates, closed)
       SELECT order_id, line.id, 'Store::TaxRate', rate.id, 0, 'Refund Zero 0.0% (Included in Price)', 0, 0, true
         FROM rate CROSS JOIN line_items line WHERE order_id = :order LIMIT 1 RETURNING id`,
      { order: shop.unpaid.id },
    ),
  );
  expect(violations.filter(({ invariant }) => invariant === 'taxes_name_their_rate')).toEqual([]);
});

test('a scope excludes the violations of other orders', async () => {
  await expect(
    withTransaction({ db: testDb() }, async (tx) => {
      await tx('orders').where({ id: shop.paid.id }).increment('payment_total', 1);
      const elsewhere = await findViolationsIn(tx, { order_ids: [shop.unpaid.id] });
      const here = await findViolationsIn(tx, { order_ids: [shop.paid.id] });
      // Stock belongs to no order, so violations of stock items are not excluded.
      expect(elsewhere.filter(({ table }) => table !== 'stock_items')).toEqual([]);
      expect(here.map(({ invariant }) => invariant)).toContain('payment_total_is_what_was_paid');
      throw new Rollback();
    }),
  ).rejects.toThrow(Rollback);
});

test('all violating rows are counted, and the first hundred listed', async () => {
  const { violations } = await findViolationsAfter((tx) =>
    run(
      tx,
      `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state)
       SELECT :order, 'shipment', 1000000000 + n, 'shipped', 'ready' FROM generate_series(1, 250) AS n RETURNING id`,
      { order: shop.unpaid.id },
    ),
  );
  const violation = violations.find(({ invariant }) => invariant === 'history_takes_known_steps');
  expect(violation?.total).toBeGreaterThanOrEqual(250);
  expect(violation?.rows).toHaveLength(100);
});

test('a check is planned for all of its rows, not for the first hundred', async () => {
  const [invariant] = INVARIANTS;
  if (invariant === undefined) throw new Error('there are invariants');
  const statements = await listQueries(() => findViolatingRows(testDb(), invariant));
  expect(statements).toEqual([expect.stringMatching(/^WITH violating AS MATERIALIZED .* LIMIT 100$/s)]);
});

test('a check ends after its time, and when its client is gone', async () => {
  await testDb().transaction(async (tx) => {
    await limitChecks(tx);
    const { rows } = await tx.raw<{ rows: unknown[] }>(
      `SELECT current_setting('statement_timeout') AS time, current_setting('client_connection_check_interval') AS client`,
    );
    expect(rows).toEqual([{ time: '10min', client: '2s' }]);
  });
});

test('all checks see one snapshot, in a transaction that writes nothing and has limits', async () => {
  const scope = { order_ids: [shop.unpaid.id] };
  const sent = await listQueries(() => findViolations(testDb(), scope));
  const before = sent
    .slice(
      0,
      sent.findIndex((sql) => sql.includes('violating')),
    )
    .join('\n');
  expect(before).toMatch(/isolation level repeatable read.*read only/is);
  expect(before).toContain('SET LOCAL statement_timeout');
  expect(sent.filter((sql) => /^(begin|commit|rollback)/i.test(sql))).toEqual([
    expect.stringMatching(/^begin/i),
    expect.stringMatching(/^commit/i),
  ]);
});

test('the hash of a word is calculated once, not for each stored token', async () => {
  const { sql } = INVARIANTS.find(({ name }) => name === 'no_token_in_plain') ?? {};
  await testDb().transaction(async (tx) => {
    // What a planner without statistics chooses.
    await tx.raw('SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off');
    const { rows } = await tx.raw<{ rows: { 'QUERY PLAN': string }[] }>(`EXPLAIN ${String(sql)}`);
    const conditions = rows.map((row) => row['QUERY PLAN']).filter((line) => /Filter|Cond/.test(line));
    expect(conditions.filter((line) => line.includes('sha256'))).toEqual([]);
  });
});
