import { choose, chooseOrder, type Perform, type Picks } from './picks';
import { asCaller, type KnownOrder, type Ware, type World } from './world';

interface Parts {
  payments: { id: number; amount: string }[];
  shipments: { number: string; shipping_rates: { id: number }[]; manifest: { variant_id: number }[] }[];
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
  const { payments = [], shipments = [] } = reply.body;
  return { payments, shipments };
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
  const reply = await asStaff(world).post(path, {
    return_authorization: {
      ...(picks.amount > 2 && { amount: '5' }),
      stock_location_id: choose(world.locations, picks.who),
      return_authorization_reason_id: world.reason_id,
    },
  });
  if (reply.status !== 201) return;
  const { variant_id } = choose(world.wares, picks.which);
  await asStaff(world).put(`${path}/${reply.body.id}/add`, { variant_id, quantity: 1 });
}

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
  adjust: onOrder((world, order, { which, amount }) =>
    asStaff(world).post(`/orders/${order.number}/adjustments`, {
      adjustment: { label: 'Goodwill', amount: `${which % 2 === 0 ? '-' : ''}${amount}.33` },
    }),
  ),
  fire_unit: onOrder(fireUnit),
  authorize_return: onOrder(authorizeReturn),
  add_to_return: onReturn((world, path, { which, amount }) =>
    asStaff(world).put(`${path}/add`, {
      variant_id: choose(world.wares, which).variant_id,
      quantity: amount,
    }),
  ),
  receive_return: onReturn((world, path) => asStaff(world).put(`${path}/receive`)),
  cancel_return: onReturn((world, path) => asStaff(world).put(`${path}/cancel`)),
  delete_return: onReturn((world, path) => asStaff(world).delete(path)),
  move_stock: moveStock,
};
