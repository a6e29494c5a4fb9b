import type { Knex } from 'knex';
import type { Response } from 'supertest';
import { findViolations, type Violation } from '../../../src/sales/verify/find-violations';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, type Caller, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { findReportProblems } from '../../support/report-sums';
import { unique } from '../../support/unique';
import { cents, type Offer, type TaxTerms } from './charges';
import { calculateCaptured, createRecordingGateways, type GatewayRecord } from './gateway-record';
import { Ledger } from './ledger';
import { readFacts } from './order-facts';

/** A variant of the test catalog. */
export interface Ware {
  variant_id: number;
  /** Whether inventory is tracked. */
  is_tracked: boolean;
  /** Whether its price includes a value added tax; the others add the sales tax. */
  has_vat: boolean;
  /** The units that staff added minus those it removed, as the model expects them. */
  put_in: number;
  /** One stock item per location. */
  stock_items: { id: number; stock_location_id: number }[];
}

export interface KnownOrder {
  number: string;
  /** Its buyer, with the order token. */
  caller: Caller;
}

/** One store with its shoppers and staff, for one sequence of requests. */
export interface World {
  app: TestApp;
  db: Knex;
  admin: Caller;
  /** A guest and two customers. */
  shoppers: Caller[];
  wares: Ware[];
  locations: number[];
  orders: KnownOrder[];
  methods: { card: number; check: number };
  /** Two ship addresses in different states, and one abroad, where nothing is shipped to or taxed. */
  addresses: { home: object[]; abroad: object };
  /** The rate whose amount staff changes. */
  tax_rate_id: number;
  reason_id: number;
  /** Coupon codes; the last has a usage limit of 1. */
  codes: string[];
  gateways: GatewayRecord;
  /** What the orders should be charged. */
  ledger: Ledger;
  replies: Response[];
  /** Violations that existed before, left by sequences that failed. */
  known: ReadonlySet<string>;
}

/** The variants to sell. `stock` is the count at the default location. `has_vat`: the price includes its tax. */
const CATALOGUE = [
  { price: '19.99', stock: 6, backorderable: false, is_tracked: true, has_vat: false },
  { price: '7.5', stock: 2, backorderable: true, is_tracked: true, has_vat: true },
  { price: '3.33', stock: 0, backorderable: false, is_tracked: false, has_vat: false },
  { price: '100.0', stock: 1, backorderable: false, is_tracked: true, has_vat: false },
] as const;

/** Discounts of every kind; the codes after the first are limited or combine two kinds. */
const PROMOTIONS = [
  { actions: [{ type: 'line_percent', percent: '10' }] },
  { actions: [{ type: 'order_percent', percent: '100' }, { type: 'free_shipping' }] },
  { usage_limit: 1, actions: [{ type: 'order_amount', amount: '7' }] },
  { actions: [{ type: 'order_percent', percent: '15' }] },
  { actions: [{ type: 'line_amount', amount: '2.25' }] },
] as const;

/** The sales tax is one of these, whichever staff set last. */
export const SALES_TAXES = ['0.08875', '0.0625'] as const;
const VAT = '0.19';

const toTerms = (rate: string, isIncluded: boolean): TaxTerms => ({
  rate: { above: BigInt(Math.round(Number(rate) * 100_000)), below: 100_000n },
  isIncluded,
});

/** Creates a store's records in the database of the test file. */
export async function createWorld(): Promise<World> {
  const db = testDb();
  const gateways = createRecordingGateways();
  const app = makeTestApp({ gateways: gateways.registry });
  const admin = await anAdmin();
  const taxes = await ensureTaxes(db);
  const locations = [await defaultLocation(db), await anotherLocation(app, admin)];
  const offers = new Map<number, Offer[]>();
  const world: World = {
    app,
    db,
    admin,
    shoppers: [{}, await aCustomer(), await aCustomer()],
    wares: [],
    locations,
    orders: [],
    methods: { card: await methodId(db, 'Credit Card'), check: await methodId(db, 'Check') },
    addresses: {
      home: [await buildAddress(db, 'MD', '20814'), await buildAddress(db, 'NY', '10001')],
      abroad: await buildAddressAbroad(db),
    },
    tax_rate_id: taxes.tax_rate_id,
    reason_id: (await db('return_authorization_reasons').first('id')).id,
    codes: [],
    gateways,
    ledger: new Ledger({
      taxesOf: (variantId) =>
        world.wares.find(({ variant_id }) => variant_id === variantId)?.has_vat === true
          ? [toTerms(VAT, true)]
          : SALES_TAXES.map((rate) => toTerms(rate, false)),
      offersOf: (promotionIds) => promotionIds.flatMap((id) => offers.get(id) ?? []),
      taxed_country_id: taxes.country_id,
    }),
    replies: [],
    known: new Set(listKeys(await findViolations(db))),
  };
  for (const content of CATALOGUE) world.wares.push(await createWare(world, content, taxes.vat_category_id));
  for (const promotion of PROMOTIONS) {
    const { id, code, actions } = await createCode(world, promotion);
    world.codes.push(code);
    const isScarce = 'usage_limit' in promotion;
    offers.set(
      id,
      actions.map(({ id: action_id, type, percent, amount }) => ({
        action_id,
        type,
        isScarce,
        value: percent === null ? cents(amount ?? '0') : BigInt(Number(percent)),
      })),
    );
  }
  return world;
}

/** Returns a client that records every reply in the world. */
export function asCaller(world: World, caller: Caller) {
  const client = api(caller, world.app);
  const record = async (reply: Promise<Response>): Promise<Response> => {
    world.replies.push(await reply);
    return reply;
  };
  return {
    get: (path: string) => record(client.get(path)),
    post: (path: string, body?: object) => record(client.post(path, body)),
    put: (path: string, body?: object) => record(client.put(path, body)),
    delete: (path: string) => record(client.delete(path)),
  };
}

const methodId = async (db: Knex, name: string): Promise<number> =>
  (await db('payment_methods').where({ name }).first('id')).id;

const defaultLocation = async (db: Knex): Promise<number> =>
  (await db('stock_locations').where({ is_default: true }).first('id')).id;

async function anotherLocation(app: TestApp, admin: Caller): Promise<number> {
  const name = 'Second location';
  const found = await testDb()('stock_locations').where({ name }).first('id');
  if (found !== undefined) return found.id;
  const reply = await api(admin, app).post('/stock_locations', { stock_location: { name } });
  return reply.body.id;
}

interface TaxRateRow {
  name: string;
  amount: string;
  included_in_price?: boolean;
  tax_category_id: number;
}

/**
 * Creates the taxes of the shop, if the stories before have not: a sales tax that is added to prices, and a value added
 * tax that those of one category include. The sales tax is the first of SALES_TAXES again.
 */
async function ensureTaxes(
  db: Knex,
): Promise<{ tax_rate_id: number; vat_category_id: number; country_id: number }> {
  const zone = await db('zones').where({ name: 'North America' }).first('id');
  const category = await db('tax_categories').where({ is_default: true }).first('id');
  const vat = { name: 'Value added' };
  await db('tax_categories').insert(vat).onConflict().ignore();
  const { id: vat_category_id } = await db('tax_categories').where(vat).first('id');
  const [amount] = SALES_TAXES;
  const ensureRate = async (rate: TaxRateRow): Promise<number> => {
    const { name } = rate;
    const found = await db('tax_rates').where({ name }).first('id');
    if (found === undefined) await db('tax_rates').insert({ ...rate, zone_id: zone.id });
    return (await db('tax_rates').where({ name }).first('id')).id;
  };
  const tax_rate_id = await ensureRate({ name: 'Property tax', amount, tax_category_id: category.id });
  await db('tax_rates').where({ id: tax_rate_id }).update({ amount });
  await ensureRate({ name: 'VAT', amount: VAT, included_in_price: true, tax_category_id: vat_category_id });
  const country = await db('countries').where({ iso: 'US' }).first('id');
  return { tax_rate_id, vat_category_id, country_id: country.id };
}

async function buildAddress(db: Knex, abbr: string, zipcode: string): Promise<object> {
  const state = await db('states')
    .join('countries', 'countries.id', 'states.country_id')
    .where({ 'countries.iso': 'US', 'states.abbr': abbr })
    .first('states.id', 'states.country_id');
  const { id: state_id, country_id } = state;
  const person = { firstname: 'Ann', lastname: 'Lee', phone: '3015550100' };
  return { ...person, address1: '12 Oak St', city: 'Bethesda', zipcode, state_id, country_id };
}

async function buildAddressAbroad(db: Knex): Promise<object> {
  const country = await db('countries').where({ iso: 'DE' }).first('id');
  const person = { firstname: 'Ann', lastname: 'Lee', phone: '3015550100' };
  return { ...person, address1: 'Am Markt 1', city: 'Bremen', zipcode: '28195', country_id: country.id };
}

async function createWare(
  world: World,
  content: (typeof CATALOGUE)[number],
  vatCategoryId: number,
): Promise<Ware> {
  const admin = asCaller(world, world.admin);
  const category = await world.db('shipping_categories').where({ name: 'Default' }).first('id');
  const { price, stock, backorderable, is_tracked, has_vat } = content;
  const product = await admin.post('/products', {
    product: {
      name: unique('Ware'),
      price,
      shipping_category_id: category.id,
      ...(has_vat && { tax_category_id: vatCategoryId }),
    },
  });
  const variant_id: number = product.body.master.id;
  const stock_items = await world
    .db('stock_items')
    .where({ variant_id })
    .whereIn('stock_location_id', world.locations)
    .orderBy('stock_location_id')
    .select<Ware['stock_items']>('id', 'stock_location_id');
  if (is_tracked) {
    const [first] = stock_items;
    await admin.put(`/stock_items/${first?.id}`, { stock_item: { count_on_hand: stock, backorderable } });
  } else {
    await admin.put(`/variants/${variant_id}`, { variant: { track_inventory: false } });
  }
  return { variant_id, is_tracked, has_vat, put_in: stock, stock_items };
}

interface CreatedPromotion {
  id: number;
  code: string;
  actions: { id: number; type: Offer['type']; percent: string | null; amount: string | null }[];
}

async function createCode(world: World, promotion: object): Promise<CreatedPromotion> {
  const code = unique('CODE');
  const reply = await asCaller(world, world.admin).post('/promotions', {
    promotion: { name: code, code, ...promotion },
  });
  if (reply.status !== 201) throw new Error(`no promotion: ${reply.text}`);
  return reply.body;
}

const listKeys = (violations: readonly Violation[]): string[] =>
  violations.flatMap(({ invariant, rows }) => rows.map(({ id, detail }) => `${invariant} ${id}: ${detail}`));

/**
 * Returns descriptions of all problems after a step; empty if there are none. `isAlone`: whether the step was a single
 * action.
 */
export async function findProblems(world: World, isAlone: boolean): Promise<string[]> {
  const failed = world.replies.filter((reply) => reply.status >= 500);
  world.replies.length = 0;
  const charges: string[] = [];
  for (const order of world.orders) {
    charges.push(...world.ledger.check(await readFacts(world, order), isAlone));
  }
  return [
    ...failed.map((reply) => `${reply.request.method} ${reply.request.url}: ${reply.status} ${reply.text}`),
    ...charges,
    ...listKeys(await findViolations(world.db)).filter((key) => !world.known.has(key)),
    ...(await findStockProblems(world)),
    ...(await findPaymentProblems(world)),
    ...(await findOverusedCodes(world)),
    ...(await findReportProblems(world.db, (name, group_by) => readReport(world, name, group_by))),
  ];
}

async function readReport(world: World, name: string, group_by?: string) {
  const reply = await api(world.admin, world.app).get(
    `/reports/${name}${group_by === undefined ? '' : `?group_by=${group_by}`}`,
  );
  if (reply.status !== 200) throw new Error(`report ${name} by ${group_by}: ${reply.status} ${reply.text}`);
  return reply.body;
}

/**
 * Checks that the units added by staff are in stock or belong to a complete order that is not canceled. Units that had
 * left before their order was imported were never in stock, and those that a return does not restock are lost.
 */
async function findStockProblems(world: World): Promise<string[]> {
  const { rows } = await world.db.raw<{ rows: { variant_id: number; there: number; sold: number }[] }>(
    `SELECT v.id AS variant_id,
            (SELECT coalesce(sum(count_on_hand), 0)::integer FROM stock_items WHERE variant_id = v.id) AS there,
            (SELECT count(*)::integer FROM inventory_units u JOIN orders o ON o.id = u.order_id
               JOIN shipments s ON s.id = u.shipment_id
               LEFT JOIN return_items i
                 ON i.return_authorization_id = u.return_authorization_id AND i.line_item_id = u.line_item_id
              WHERE u.variant_id = v.id AND NOT s.is_imported AND (u.state <> 'returned' OR NOT i.restock)
                AND o.completed_at IS NOT NULL AND o.state <> 'canceled') AS sold
       FROM variants v WHERE v.id = ANY(?)`,
    [world.wares.filter((ware) => ware.is_tracked).map((ware) => ware.variant_id)],
  );
  return rows.flatMap(({ variant_id, there, sold }) => {
    const units_added = world.wares.find((ware) => ware.variant_id === variant_id)?.put_in ?? 0;
    return there + sold === units_added
      ? []
      : [`variant ${variant_id}: ${units_added} units added, ${there} in stock and ${sold} sold`];
  });
}

/** Checks that the payment totals of the orders equal the amounts that the gateways captured and did not credit. */
async function findPaymentProblems(world: World): Promise<string[]> {
  const problems: string[] = [];
  for (const { number } of world.orders) {
    const order = await world.db('orders').where({ number }).first('id', 'payment_total');
    const payments: string[] = await world.db('payments').where({ order_id: order.id }).pluck('number');
    const taken = payments.reduce((sum, payment) => sum + calculateCaptured(world.gateways, payment), 0n);
    const recorded = BigInt(order.payment_total.replace('.', ''));
    if (taken !== recorded) {
      problems.push(`order ${number}: payment total of ${recorded} cents, ${taken} captured`);
    }
  }
  return problems;
}

/** Checks that no promotion exceeds its usage limit. */
async function findOverusedCodes(world: World): Promise<string[]> {
  const { rows } = await world.db.raw<{ rows: { code: string; used: number }[] }>(
    `SELECT p.code, count(*)::integer AS used
       FROM promotions p
       JOIN order_promotions op ON op.promotion_id = p.id AND op.used
       JOIN orders o ON o.id = op.order_id AND o.completed_at IS NOT NULL AND o.state <> 'canceled'
      WHERE p.code = ANY(?) GROUP BY p.id HAVING count(*) > p.usage_limit`,
    [world.codes],
  );
  return rows.map(({ code, used }) => `code ${code} was used ${used} times`);
}
