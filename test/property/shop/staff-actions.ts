import { choose, chooseOrder, type Perform, type Picks } from './picks';
import { cents } from './charges';
import { asCaller, SALES_TAXES, type KnownOrder, type Ware, type World } from './world';

interface Parts {
  line_items: { id: number }[];
  adjustments: { id: number; source_type: string | null }[];
  payments: { id: number; amount: string }[];
  shipments: {
    id: number;
    number: string;
    shipping_rates: { id: number }[];
    manifest: { variant_id: number }[];
  }[];
}

const asStaff = (world: World) => asCaller(world, world.admin);

const onOrder =
  (request: (world: World, order: KnownOrder, picks: Picks) => Promise<unknown>): Perform =>
  async (world, picks) => {
    const order = chooseOrder(world, picks);
    if (order !== undefined) await request(world, order, picks);
  };

async function loadParts(world: World, order: KnownOrder): Promise<Parts> {
  const reply = await asStaff(world).get(`/orders/${order.number}`);
  const { line_items = [], adjustments = [], payments = [], shipments = [] } = reply.body;
  return { line_items, adjustments, payments, shipments };
}

/** Fires an event of one payment of the order, sometimes with a part of its amount. */
const payment = (event: string): Perform =>
  onOrder(async (world, order, { which, amount }) => {
    const { payments } = await loadParts(world, order);
    if (payments.length === 0) return;
    const one = choose(payments, which);
    const part = amount > 2 ? { amount: (Number(one.amount) / amount).toFixed(2) } : {};
    await asStaff(world).put(`/orders/${order.number}/payments/${one.id}/${event}`, part);
  });

/** Performs a request for one shipment of the order. */
const shipment = (
  request: (world: World, shipment: Parts['shipments'][number], picks: Picks) => Promise<unknown>,
): Perform =>
  onOrder(async (world, order, picks) => {
    const { shipments } = await loadParts(world, order);
    if (shipments.length > 0) await request(world, choose(shipments, picks.which), picks);
  });

const buildQuantity = (amount: number): { quantity?: number } => (amount === 0 ? {} : { quantity: amount });

function buildContent(world: World, parcel: Parts['shipments'][number], { amount, who }: Picks): object {
  const present = parcel.manifest.map(({ variant_id }) => variant_id);
  const variant_id = present.length === 0 ? choose(world.wares, who).variant_id : choose(present, who);
  return { variant_id, ...buildQuantity(amount) };
}

async function shipAll(world: World, order: KnownOrder): Promise<void> {
  const { payments } = await loadParts(world, order);
  for (const { id } of payments) await asStaff(world).put(`/orders/${order.number}/payments/${id}/capture`);
  const { shipments } = await loadParts(world, order);
  for (const { number } of shipments) await asStaff(world).put(`/shipments/${number}/ship`);
}

/** Performs a request for one return of the order; `path` is the path of the return. */
const onReturn = (request: (world: World, path: string, picks: Picks) => Promise<unknown>): Perform =>
  onOrder(async (world, order, picks) => {
    const path = `/orders/${order.number}/return_authorizations`;
    const reply = await asStaff(world).get(path);
    const returns: { id: number }[] = reply.body.return_authorizations ?? [];
    if (returns.length > 0) await request(world, `${path}/${choose(returns, picks.who).id}`, picks);
  });

async function authorizeReturn(world: World, order: KnownOrder, picks: Picks): Promise<void> {
  const path = `/orders/${order.number}/return_authorizations`;
  const given = picks.amount > 2 ? choose(['5', '0'], picks.amount) : null;
  const reply = await asStaff(world).post(path, {
    return_authorization: {
      ...(given !== null && { amount: given }),
      stock_location_id: choose(world.locations, picks.who),
      return_authorization_reason_id: world.reason_id,
    },
  });
  if (reply.status !== 201) return;
  if (given !== null) world.ledger.givenAmounts.set(reply.body.id, cents(given));
  const { variant_id } = choose(world.wares, picks.which);
  const restock = picks.order % 2 === 0;
  await asStaff(world).put(`${path}/${reply.body.id}/add`, { variant_id, quantity: 1, restock });
}

/** Performs a request for one line item of the order; `path` is the path of the line item. */
const onLine = (request: (world: World, path: string, picks: Picks) => Promise<unknown>): Perform =>
  onOrder(async (world, order, picks) => {
    const { line_items } = await loadParts(world, order);
    if (line_items.length === 0) return;
    await request(world, `/orders/${order.number}/line_items/${choose(line_items, picks.which).id}`, picks);
  });

/** Sets the quantity of a line item, its price, or both. */
const editLine = onLine((world, path, { amount, who }) =>
  asStaff(world).put(path, {
    line_item: {
      ...(who !== 1 && { quantity: amount + 1 }),
      ...(who !== 0 && { price: amount === 0 ? '0' : `${amount * 5}.99` }),
    },
  }),
);

/** Adds a manual adjustment to the order, a line item or a shipment. */
async function adjust(world: World, order: KnownOrder, { which, who, amount }: Picks): Promise<void> {
  const { line_items, shipments } = await loadParts(world, order);
  const [line, shipment] = [line_items.at(which), shipments.at(0)];
  await asStaff(world).post(`/orders/${order.number}/adjustments`, {
    adjustment: {
      label: 'Goodwill',
      amount: `${which % 2 === 0 ? '-' : ''}${amount}.33`,
      ...(who === 1 && line !== undefined && { line_item_id: line.id }),
      ...(who === 2 && shipment !== undefined && { shipment_id: shipment.id }),
    },
  });
}

/** Changes or deletes an adjustment of the order itself, also one that may not be changed. */
const onAdjustment = (request: (world: World, path: string, picks: Picks) => Promise<unknown>): Perform =>
  onOrder(async (world, order, picks) => {
    const { adjustments } = await loadParts(world, order);
    if (adjustments.length === 0) return;
    const { id } = choose(adjustments, picks.which);
    await request(world, `/orders/${order.number}/adjustments/${id}`, picks);
  });

/** Imports a sale that was made elsewhere: paid by check, in one shipment that has left or not. */
async function importOrder(world: World, { which, who, amount }: Picks): Promise<void> {
  const address = choose(world.addresses.home, who);
  const reply = await asStaff(world).post('/orders', {
    order: {
      completed_at: '2026-01-05T10:00:00Z',
      email: 'till@example.com',
      bill_address: address,
      ship_address: address,
      line_items: [
        { variant_id: choose(world.wares, which).variant_id, quantity: 1 + (amount % 2), price: '8.4' },
      ],
      ...(amount > 2 && { adjustments: [{ label: 'Sales tax', amount: '0.77' }] }),
      ...(who !== 0 && { payments: [{ amount: IMPORTED_PAYMENT, payment_method: 'Check' }] }),
      shipments: [
        { cost: '4.9', stock_location: 'default', ...(who !== 1 && { shipped_at: '2026-01-06T10:00:00Z' }) },
      ],
    },
  });
  if (reply.status !== 201) return;
  const { id, number, token, payments } = reply.body;
  world.ledger.noteImport(id);
  for (const payment of payments) world.gateways.noteCaptured(payment.number, cents(IMPORTED_PAYMENT));
  world.orders.push({ number, caller: { orderToken: token } });
}

const IMPORTED_PAYMENT = '9.17';

const chooseStockItem = (ware: Ware, { who }: Picks) => choose(ware.stock_items, who);

/** Adds or removes units, by a movement or by adjusting the count. The model records the sum of accepted changes. */
async function moveStock(world: World, picks: Picks): Promise<void> {
  const ware = choose(world.wares, picks.which);
  const { id, stock_location_id } = chooseStockItem(ware, picks);
  const quantity = picks.amount - 1;
  const reply =
    picks.order % 2 === 0
      ? await asStaff(world).post(`/stock_locations/${stock_location_id}/stock_movements`, {
          stock_movement: { stock_item_id: id, quantity },
        })
      : await asStaff(world).put(`/stock_items/${id}`, { stock_item: { count_on_hand: quantity } });
  if (reply.status < 300 && ware.is_tracked) ware.put_in += quantity;
}

async function fireUnit(world: World, order: KnownOrder, { which, who }: Picks): Promise<void> {
  const units: number[] = await world
    .db('inventory_units')
    .whereIn('order_id', world.db('orders').select('id').where({ number: order.number }))
    .orderBy('id')
    .pluck('id');
  if (units.length === 0) return;
  await asStaff(world).put(`/inventory_units/${choose(units, which)}`, {
    fire: choose(['ship', 'fill_backorder'], who),
  });
}

/** The actions of staff. */
export const staffActions: Record<string, Perform> = {
  authorize: payment('authorize'),
  capture: payment('capture'),
  purchase: payment('purchase'),
  void: payment('void'),
  credit: payment('credit'),
  approve: onOrder((world, order) => asStaff(world).put(`/orders/${order.number}/approve`)),
  reprice_line: onOrder((world, order, { which, amount }) =>
    asStaff(world).put(`/orders/${order.number}`, {
      order: {
        line_items: [
          { variant_id: choose(world.wares, which).variant_id, quantity: 1, price: `${amount}.49` },
        ],
      },
    }),
  ),
  ready: shipment((world, { number }) => asStaff(world).put(`/shipments/${number}/ready`)),
  ship: shipment((world, { number }) => asStaff(world).put(`/shipments/${number}/ship`)),
  ship_all: onOrder(shipAll),
  add_to_shipment: shipment((world, { number }, { amount, who }) =>
    asStaff(world).put(`/shipments/${number}/add`, {
      variant_id: choose(world.wares, who).variant_id,
      ...buildQuantity(amount),
    }),
  ),
  remove_from_shipment: shipment((world, parcel, picks) =>
    asStaff(world).put(`/shipments/${parcel.number}/remove`, buildContent(world, parcel, picks)),
  ),
  create_shipment: onOrder((world, order, { which, who, amount }) =>
    asStaff(world).post('/shipments', {
      order_id: order.number,
      stock_location_id: choose(world.locations, who),
      variant_id: choose(world.wares, which).variant_id,
      ...buildQuantity(amount),
    }),
  ),
  change_shipment: shipment((world, { number, shipping_rates }, { amount, who }) =>
    asStaff(world).put(`/shipments/${number}`, {
      shipment: {
        tracking: `track ${amount}`,
        ...(amount % 2 === 0 && shipping_rates.length > 0
          ? { selected_shipping_rate_id: choose(shipping_rates, who).id }
          : { stock_location_id: choose(world.locations, who) }),
      },
    }),
  ),
  set_cost: shipment((world, { number }, { amount }) =>
    asStaff(world).put(`/shipments/${number}`, { shipment: { cost: `${amount}.25` } }),
  ),
  cancel_shipment: shipment((world, { number }) => asStaff(world).put(`/shipments/${number}/cancel`)),
  resume: onOrder((world, order) => asStaff(world).put(`/orders/${order.number}/resume`)),
  transfer_to_location: shipment((world, parcel, picks) =>
    asStaff(world).post('/shipments/transfer_to_location', {
      original_shipment_number: parcel.number,
      stock_location_id: choose(world.locations, picks.order),
      ...buildContent(world, parcel, picks),
    }),
  ),
  transfer_to_shipment: onOrder(async (world, order, picks) => {
    const { shipments } = await loadParts(world, order);
    if (shipments.length === 0) return;
    const parcel = choose(shipments, picks.which);
    await asStaff(world).post('/shipments/transfer_to_shipment', {
      original_shipment_number: parcel.number,
      target_shipment_number: choose(shipments, picks.which + 1).number,
      ...buildContent(world, parcel, picks),
    });
  }),
  adjust: onOrder(adjust),
  change_adjustment: onAdjustment((world, path, { amount, who }) =>
    asStaff(world).put(path, { adjustment: { amount: `${who === 0 ? '-' : ''}${amount}.41` } }),
  ),
  remove_adjustment: onAdjustment((world, path) => asStaff(world).delete(path)),
  edit_line: editLine,
  drop_line: onLine((world, path) => asStaff(world).delete(path)),
  add_sold_line: onOrder((world, order, { which, amount }) =>
    asStaff(world).post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: choose(world.wares, which).variant_id, ...buildQuantity(amount) },
    }),
  ),
  edit_address: onOrder((world, order, { which, who }) =>
    asStaff(world).put(`/orders/${order.number}`, {
      order: {
        email: `ann${which}@example.com`,
        ship_address_attributes: who === 0 ? world.addresses.abroad : choose(world.addresses.home, which),
      },
    }),
  ),
  change_tax_rate: (world, { which }) =>
    asStaff(world).put(`/tax_rates/${world.tax_rate_id}`, {
      tax_rate: { amount: choose(SALES_TAXES, which) },
    }),
  import_order: importOrder,
  fire_unit: onOrder(fireUnit),
  authorize_return: onOrder(authorizeReturn),
  add_to_return: onReturn((world, path, { which, who, amount }) =>
    asStaff(world).put(`${path}/add`, {
      variant_id: choose(world.wares, which).variant_id,
      quantity: amount,
      restock: who !== 0,
    }),
  ),
  receive_return: onReturn((world, path) => asStaff(world).put(`${path}/receive`)),
  cancel_return: onReturn((world, path) => asStaff(world).put(`${path}/cancel`)),
  delete_return: onReturn((world, path) => asStaff(world).delete(path)),
  move_stock: moveStock,
};
