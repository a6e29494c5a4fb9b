import type { Knex } from 'knex';
import {
  checkMails,
  checkOnce,
  checkSales,
  checkSettling,
  checkStock,
  checkWebhooks,
  type Claim,
  type Evidence,
} from '../../prove/claims';
import { checkMoney } from '../../prove/claims-money';
import { planDisturbances } from '../../prove/disturbances';
import { createDraw, parseOptions } from '../../prove/options';
import type { Sale } from '../../prove/sales';

/** Each claim of `npm run prove` holds for the evidence of a good sale, and breaks for a bad one. */

const SALE: Sale = {
  number: 'R1',
  email: 'a@example.com',
  variantId: 1,
  units: 1,
  kind: 'return',
  state: 'complete',
  isCaptured: true,
  isShipped: true,
  returns: 1,
  refunds: 1,
};
const INTENT = {
  id: 'pi_1',
  status: 'succeeded',
  amount_received: 2100,
  amount_capturable: 0,
  metadata: { order: 'R1' },
};
const MAILS = ['order_confirmed.1', 'shipped.2', 'return_received.3', 'refunded.4'].map((id) => ({
  id: `${id}@shop`,
  to: SALE.email,
}));
const ORDER = {
  number: 'R1',
  state: 'complete',
  email: SALE.email,
  is_complete: true,
  shipped: 1,
  returned: 1,
};
const RECORDED = {
  authorization: 'pi_1',
  number: 'R1',
  pending: 0,
  captured: 2100,
  refunded: 1050,
  refunds: 1,
};
const REFUND = { payment_intent: 'pi_1', amount: 1050 };
const delivered = (...ids: string[]) => ids.map((id) => ({ headers: { 'webhook-id': `evt_${id}` } }));

/** What the database answers, by a part of the statement, and what is outside. */
const GOOD = {
  orders: [ORDER],
  counts: [{ variant_id: 1, count: 9 }],
  once: [{ what: 'order.completed of order 1', count: 1 }],
  deliveries: [
    { id: '5', subject: 'order 1' },
    { id: '6', subject: 'order 1' },
  ],
  events: [{ count: 2 }],
  recorded: [RECORDED],
  mails: MAILS,
  received: delivered('5', '6', '6'),
  intents: [INTENT],
  refunds: [REFUND],
  quiet: { settledMs: 900, quietMs: 1000, left: { payments: 0, notes: 0, deliveries: 0, jobs: 0 } },
};

const STATEMENTS: [part: string, answer: keyof typeof GOOD][] = [
  ['FROM orders', 'orders'],
  ['FROM stock_items', 'counts'],
  ['type = ANY', 'once'],
  ['subject FROM webhook_deliveries', 'deliveries'],
  ['FROM events', 'events'],
  ['FROM payments', 'recorded'],
];

function buildEvidence(change: Partial<Record<keyof typeof GOOD, unknown>>): Evidence {
  const found = { ...GOOD, ...change } as typeof GOOD; // changed to what a bad run leaves
  const raw = (sql: string) => {
    const [, name] = STATEMENTS.find(([part]) => sql.includes(part)) ?? [];
    return Promise.resolve({ rows: name === undefined ? [] : found[name] });
  };
  const { intents, refunds, mails, received } = found;
  const outside = {
    stripe: { intents: new Map(intents.map((one) => [one.id, one])), refunds: new Map(refunds.entries()) },
    mails,
    receiver: { received },
  };
  // Only what the claims read.
  return {
    db: { raw } as unknown as Knex,
    stage: { outside, unexpectedExits: [] } as unknown as Evidence['stage'],
    shop: { variants: [{ id: 1, stock: 10 }], paymentMethodId: 1, locationId: 1, reasonId: 1 },
    sales: [SALE],
    quiet: found.quiet,
    settleSeconds: 12,
    unexpected: [],
  };
}

async function listBreaches(evidence: Evidence): Promise<string[]> {
  const claims: Claim[] = [
    ...[await checkSales(evidence), await checkStock(evidence), await checkOnce(evidence)],
    ...[await checkMails(evidence), checkSettling(evidence)],
    ...[...(await checkWebhooks(evidence)), ...(await checkMoney(evidence))],
  ];
  return claims.flatMap(({ name, breaches }) => (breaches.length > 0 ? [name] : []));
}

const SALES_CLAIM = 'every order answered as complete is complete, and no other';
const ONCE_CLAIM = 'nothing is completed, shipped or returned twice';
const MAILS_CLAIM = 'each mail is sent, and none is written twice';
const BOOKS_CLAIM = 'the books of the provider agree';
const SETTLED_CLAIM = 'no payment is at the provider for more than 12 s, and no work is left';

test('a good run breaks no claim', async () => {
  expect(await listBreaches(buildEvidence({}))).toEqual([]);
});

test.each<[string, Partial<Record<keyof typeof GOOD, unknown>>, string[]]>([
  ['an order is lost', { orders: [] }, [SALES_CLAIM]],
  ['an order is not complete', { orders: [{ ...ORDER, is_complete: false }] }, [SALES_CLAIM]],
  ['an order is not shipped', { orders: [{ ...ORDER, shipped: 0 }] }, [SALES_CLAIM]],
  ['a return is recorded twice', { orders: [{ ...ORDER, returned: 2 }] }, [SALES_CLAIM]],
  ['an unknown order is complete', { orders: [ORDER, { ...ORDER, number: 'R2' }] }, [SALES_CLAIM]],
  ['a unit is missing', { counts: [{ variant_id: 1, count: 8 }] }, ['stock is conserved']],
  ['a parcel ships twice', { once: [{ what: 'shipment.shipped of shipment 1', count: 2 }] }, [ONCE_CLAIM]],
  ['a mail is missing', { mails: MAILS.slice(1) }, [MAILS_CLAIM]],
  ['a mail is written twice', { mails: [...MAILS, { id: 'shipped.9@shop', to: SALE.email }] }, [MAILS_CLAIM]],
  ['an event is not delivered', { received: delivered('5') }, ['each event reaches the webhook']],
  ['an event has no delivery', { events: [{ count: 3 }] }, ['each event reaches the webhook']],
  [
    'events are delivered in another order',
    { received: delivered('6', '5') },
    ['the events of a record arrive in their order'],
  ],
  [
    'a card is charged twice',
    { intents: [INTENT, { ...INTENT, id: 'pi_2' }] },
    ['nothing is charged twice', BOOKS_CLAIM],
  ],
  [
    'a sale is not charged',
    { intents: [], recorded: [{ ...RECORDED, captured: 0 }] },
    ['nothing is charged twice'],
  ],
  ['a capture is not recorded', { recorded: [{ ...RECORDED, captured: 0 }] }, [BOOKS_CLAIM]],
  ['the provider has refunded twice', { refunds: [REFUND, REFUND] }, [BOOKS_CLAIM]],
  ['a refund is recorded twice', { recorded: [{ ...RECORDED, refunds: 2 }] }, ['nothing is refunded twice']],
  ['payments are settled late', { quiet: { ...GOOD.quiet, settledMs: 13_000 } }, [SETTLED_CLAIM]],
  ['a job is left', { quiet: { ...GOOD.quiet, left: { ...GOOD.quiet.left, jobs: 1 } } }, [SETTLED_CLAIM]],
])('%s: the claim breaks', async (_name, change, broken) => {
  expect(await listBreaches(buildEvidence(change))).toEqual(broken);
});

test('failovers are spread evenly over the other disturbances, and take the place of those of PostgreSQL', () => {
  const counts = [
    '--server-kills',
    '4',
    '--worker-kills',
    '2',
    '--losses',
    '2',
    '--silences',
    '0',
    '--server-freezes',
    '0',
  ];
  const options = parseOptions(['--failover', ...counts]);
  const plan = planDisturbances(options, 3, createDraw(1));
  expect(plan.flatMap((kind, index) => (kind === 'failed over' ? [index] : []))).toEqual([2, 5, 8]);
  expect(plan).toHaveLength(11);
  expect(plan.filter((kind) => kind.startsWith('database'))).toEqual([]);
  expect(planDisturbances(parseOptions([]), 0, createDraw(1))).toHaveLength(46);
});
