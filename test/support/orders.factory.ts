import type { Response } from 'supertest';
import { asAdmin } from './accounts.factory';
import { api, type Caller } from './api';
import { testDb } from './database';
import { aProduct } from './products.factory';
import { unique } from './unique';

export const GOOD_CARD = {
  number: '4111111111111111',
  month: '1',
  year: '2035',
  verification_value: '123',
  name: 'Ann Lee',
};
export const DECLINED_CARD = { ...GOOD_CARD, number: '4000000000000002' };

/** Returns the id of a seeded payment method by name. */
export async function getPaymentMethodId(name: 'Credit Card' | 'Check'): Promise<number> {
  const method = await testDb()('payment_methods').where({ name }).first('id');
  return method.id;
}

let maryland: Promise<{ id: number; country_id: number }> | undefined;

/** Reads the state once for each test file. */
function getMaryland(): Promise<{ id: number; country_id: number }> {
  maryland ??= testDb()('states')
    .join('countries', 'countries.id', 'states.country_id')
    .where({ 'countries.iso': 'US', 'states.abbr': 'MD' })
    .first('states.id', 'states.country_id')
    .then((state) => state);
  return maryland;
}

/** Builds an address in Maryland, which the seeded shipping methods cover. */
export async function buildMarylandAddress(): Promise<Record<string, unknown>> {
  const state = await getMaryland();
  return {
    firstname: 'Ann',
    lastname: 'Lee',
    address1: '12 Oak St',
    city: 'Bethesda',
    phone: '3015550100',
    zipcode: '20814',
    state_id: state.id,
    country_id: state.country_id,
  };
}

/**
 * Creates a product with stock in the default location and returns its master. Inserts the rows that the API would, in one statement,
 * unless `product` has attributes for it.
 */
export async function aSellableVariant(
  attributes: { stock?: number; backorderable?: boolean; price?: string; product?: object } = {},
): Promise<{ id: number; product_id: number }> {
  const { stock = 10, backorderable = false, price = '15.99', product } = attributes;
  if (product === undefined) return insertSellableVariant({ stock, backorderable, price });
  const made = await aProduct({ price, ...product });
  await deleteOtherStockItems(made.master.id);
  await setStock(made.master.id, { stock, backorderable });
  return { id: made.master.id, product_id: made.id };
}

async function insertSellableVariant(values: {
  stock: number;
  backorderable: boolean;
  price: string;
}): Promise<{ id: number; product_id: number }> {
  const name = unique('Product');
  const { rows } = await testDb().raw<{ rows: { id: number; product_id: number }[] }>(
    `WITH product AS (
       INSERT INTO products (name, slug, available_on, shipping_category_id)
       SELECT :name, :slug, date_trunc('milliseconds', now()), id FROM shipping_categories WHERE name = 'Default'
       RETURNING id
     ), master AS (
       INSERT INTO variants (product_id, is_master, position, sku) SELECT id, true, 1, '' FROM product
       RETURNING id, product_id
     ), price AS (
       INSERT INTO prices (variant_id, currency, amount)
       SELECT id, COALESCE((SELECT currency FROM stores WHERE is_default), 'USD'), :price FROM master
     ), item AS (
       INSERT INTO stock_items (stock_location_id, variant_id, count_on_hand, backorderable)
       SELECT (SELECT id FROM stock_locations WHERE name = 'default'), id, :stock, :backorderable FROM master
       RETURNING id, count_on_hand
     ), movement AS (
       INSERT INTO stock_movements (stock_item_id, quantity)
       SELECT id, count_on_hand FROM item WHERE count_on_hand <> 0
     )
     SELECT id, product_id FROM master`,
    { ...values, name, slug: name.toLowerCase() },
  );
  const [master] = rows;
  if (master === undefined) throw new Error('the shipping category "Default" is missing');
  return master;
}

/** Stock locations of other tests have items for every new variant, some of them backorderable. */
async function deleteOtherStockItems(variantId: number): Promise<void> {
  const home = testDb()('stock_locations').select('id').where({ name: 'default' });
  await testDb()('stock_items')
    .where({ variant_id: variantId })
    .whereNotIn('stock_location_id', home)
    .delete();
}

/** Sets the count on hand of a variant in the default location. */
export async function setStock(
  variantId: number,
  { stock, backorderable = false }: { stock: number; backorderable?: boolean },
): Promise<void> {
  const item = await testDb()('stock_items')
    .join('stock_locations', 'stock_locations.id', 'stock_items.stock_location_id')
    .where({ 'stock_items.variant_id': variantId, 'stock_locations.name': 'default' })
    .first('stock_items.id', 'stock_items.stock_location_id');
  const admin = await asAdmin();
  const reply = await admin.put(`/stock_locations/${item.stock_location_id}/stock_items/${item.id}`, {
    stock_item: { count_on_hand: stock, force: true, backorderable },
  });
  if (reply.status !== 200) throw new Error(`no stock: ${reply.text}`);
}

/** Returns the units of a variant in all active locations. */
export async function getTotalOnHand(variantId: number): Promise<number> {
  return (await api().get(`/variants/${variantId}`)).body.total_on_hand;
}

export type ReachableState = 'cart' | 'address' | 'delivery' | 'payment' | 'confirm' | 'complete';

export interface OrderOptions {
  /** The customer; a guest by default. */
  caller?: Caller;
  lines?: { variant_id: number; quantity?: number }[];
  card?: object;
  method?: 'Credit Card' | 'Check';
  email?: string;
}

/**
 * Creates an order and takes it to a state through the API. Returns the body of the last reply with the
 * caller who owns it.
 */
export async function orderInState(state: ReachableState, wishes: OrderOptions = {}): Promise<any> {
  const buyer = wishes.caller ?? {};
  const line_items = wishes.lines ?? [{ variant_id: (await aSellableVariant()).id, quantity: 2 }];
  const hasAddresses = isAtOrAfter(state, 'delivery');
  const addresses = hasAddresses ? await buildAddresses(wishes) : {};
  const opened = expectOk(await api(buyer).post('/orders', { order: { line_items, ...addresses } }));
  const caller: Caller = { ...buyer, orderToken: opened.token };
  const shopper = api(caller);
  const path = `/checkouts/${opened.number}`;
  let order = opened;
  const step = async (body: object | null, suffix = ''): Promise<void> => {
    order = expectOk(await shopper.put(`${path}${suffix}`, ...(body === null ? [] : [body])));
  };
  // The default card of a customer would take the order further than this.
  const canAdvance = isAtOrAfter(state, 'payment') && wishes.caller === undefined;
  if (canAdvance) await step(null, '/advance');
  else
    for (const next of ['address', 'delivery', 'payment'] as const)
      if (isAtOrAfter(state, next)) await step(null, '/next');
  if (isAtOrAfter(state, 'confirm')) await step(await buildPaymentBody(wishes));
  if (isAtOrAfter(state, 'complete')) await step({});
  return { ...order, caller };
}

async function buildAddresses({ email = 'ann@example.com' }: OrderOptions): Promise<object> {
  const address = await buildMarylandAddress();
  return { email, bill_address_attributes: address, ship_address_attributes: address };
}

/** Reads an order of `orderInState` as its buyer. */
export async function showOrder(order: any): Promise<any> {
  return (await api(order.caller).get(`/orders/${order.number}`)).body;
}

/** Sends PUT /checkouts/:number as the buyer, which updates the order and takes a step. */
export async function updateCheckout(order: any, body: object = {}): Promise<Response> {
  return api(order.caller).put(`/checkouts/${order.number}.json`, body);
}

/** Builds the body that pays an order, by default by card. */
export async function buildPaymentBody(wishes: Pick<OrderOptions, 'card' | 'method'> = {}): Promise<object> {
  const id = await getPaymentMethodId(wishes.method ?? 'Credit Card');
  const order = { payments_attributes: [{ payment_method_id: String(id) }] };
  return wishes.method === 'Check'
    ? { order }
    : { order, payment_source: { [id]: wishes.card ?? GOOD_CARD } };
}

const ORDER: ReachableState[] = ['cart', 'address', 'delivery', 'payment', 'confirm', 'complete'];

function isAtOrAfter(state: ReachableState, step: ReachableState): boolean {
  return ORDER.indexOf(state) >= ORDER.indexOf(step);
}

function expectOk(reply: Response): any {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}
