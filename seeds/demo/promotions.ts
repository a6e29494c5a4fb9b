import type { Knex } from 'knex';
import { insertRows } from './insert-rows';

/** A coupon code of the demo store that every order may use. */
const DEMO_COUPON = 'WELCOME10';

/** Three kinds of promotion: a percentage by code, free shipping by code, and an amount off large orders without a code. */
const PROMOTIONS = [
  {
    promotion: { name: 'Welcome', code: DEMO_COUPON, description: '10% off your order.', advertise: true },
    rules: [],
    action: { type: 'order_percent', percent: '10' },
  },
  {
    promotion: {
      name: 'Free shipping',
      code: 'SHIPFREE',
      description: 'Free shipping from $50.',
      advertise: true,
    },
    rules: [{ type: 'item_total', amount_min: '50', currency: 'USD' }],
    action: { type: 'free_shipping' },
  },
  {
    promotion: { name: 'Big basket', code: null, description: '$25 off from $400.', advertise: true },
    rules: [{ type: 'item_total', amount_min: '400', currency: 'USD' }],
    action: { type: 'order_amount', amount: '25', currency: 'USD' },
  },
] as const;

/** Writes the promotions of the demo store. */
export async function writePromotions(tx: Knex.Transaction): Promise<void> {
  for (const { promotion, rules, action } of PROMOTIONS) {
    const [promotion_id] = await insertRows(tx, 'promotions', [promotion]);
    for (const rule of rules) await insertRows(tx, 'promotion_rules', [{ promotion_id, ...rule }]);
    await insertRows(tx, 'promotion_actions', [{ promotion_id, ...action }]);
  }
}
