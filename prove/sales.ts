import { address } from '../docs-content/sample-customer';
import type { Body, Send } from './client';
import type { Shop } from './shop';

/** What became of a sale, as its client was answered. */
export interface Sale {
  number: string;
  email: string;
  variantId: number;
  /** Units that have left the stock in the end. */
  units: number;
  kind: SaleKind;
  /** The state of the order in the end. */
  state: 'complete' | 'canceled';
  isCaptured: boolean;
  isShipped: boolean;
  returns: number;
  refunds: number;
}

/** What happens after the sale. */
export const SALE_KINDS = ['ship', 'return', 'credit', 'edit', 'adjust', 'cancel', 'wait'] as const;
export type SaleKind = (typeof SALE_KINDS)[number];

/** Buys as a guest, and does as the administrator what belongs to the kind. @throws SaleEnded if a request fails */
export async function sell(
  send: Send,
  shop: Shop,
  plan: { id: number; variant: number; quantity: number; kind: SaleKind },
): Promise<Sale> {
  const variant = shop.variants[plan.variant % shop.variants.length];
  if (variant === undefined) throw new Error('the shop is empty');
  const email = `buyer-${plan.id}@example.com`;
  const order = await buy(send, shop, { email, variantId: variant.id, quantity: plan.quantity, id: plan.id });
  const sale: Sale = {
    number: order.number,
    email,
    variantId: variant.id,
    units: plan.quantity,
    kind: plan.kind,
    state: 'complete',
    isCaptured: false,
    isShipped: false,
    returns: 0,
    refunds: 0,
  };
  await AFTER[plan.kind]({ send, shop, order, sale });
  return sale;
}

async function buy(
  send: Send,
  { paymentMethodId }: Shop,
  wish: { id: number; email: string; variantId: number; quantity: number },
): Promise<Body> {
  const line_items = [{ variant_id: wish.variantId, quantity: wish.quantity }];
  const opened = (
    await send({ method: 'POST', path: '/orders', body: { order: { line_items } }, by: 'guest' })
  ).body;
  const by = { orderToken: opened.token };
  const path = `/checkouts/${opened.number}`;
  const step = async (body: object, suffix = ''): Promise<Body> =>
    (await send({ method: 'PUT', path: path + suffix, body, by })).body;
  await step({}, '/next');
  await step({ order: { email: wish.email, bill_address: address, use_billing: true } });
  await step({}, '/next');
  await step({
    order: { payments_attributes: [{ payment_method_id: paymentMethodId }] },
    payment_source: { [paymentMethodId]: { gateway_payment_profile_id: `pm_visa_${wish.id}` } },
  });
  const done = await step({}, '/next');
  if (done.state !== 'complete')
    throw new Error(`order ${opened.number} is answered with success, but it is ${done.state}`);
  return { ...done, token: opened.token };
}

interface Stage {
  send: Send;
  shop: Shop;
  order: Body;
  sale: Sale;
}

/** The steps after the sale. Each notes its effect when it was answered. */
const AFTER: Record<SaleKind, (stage: Stage) => Promise<void>> = {
  wait: () => Promise.resolve(),
  ship: async (stage) => {
    await capture(stage);
    await ship(stage);
  },
  return: async (stage) => {
    await capture(stage);
    await ship(stage);
    await takeBack(stage);
  },
  credit: async (stage) => {
    await capture(stage);
    await credit(stage);
  },
  edit: async (stage) => {
    const { send, order, sale } = stage;
    const [line] = order.line_items;
    const path = `/orders/${order.number}/line_items/${line?.id}`;
    await send({ method: 'PUT', path, body: { line_item: { quantity: 1 } } });
    sale.units = 1;
    await capture(stage);
    await ship(stage);
  },
  adjust: async (stage) => {
    const { send, order } = stage;
    const adjustment = { label: 'Goodwill', amount: '-1' };
    await send({ method: 'POST', path: `/orders/${order.number}/adjustments`, body: { adjustment } });
    await capture(stage);
    await ship(stage);
  },
  cancel: async ({ send, order, sale }) => {
    await send({ method: 'PUT', path: `/orders/${order.number}/cancel` });
    Object.assign(sale, { state: 'canceled', units: 0 });
  },
};

/** Captures what the order costs now. */
async function capture({ send, order, sale }: Stage): Promise<void> {
  const { total, payments } = (await send({ method: 'GET', path: `/orders/${order.number}` })).body;
  const payment = payments.find(({ state }) => state === 'pending');
  const path = `/orders/${order.number}/payments/${payment?.id}/capture`;
  await send({ method: 'PUT', path, body: { amount: total } });
  sale.isCaptured = true;
}

async function ship({ send, order, sale }: Stage): Promise<void> {
  const path = `/shipments/${order.shipments[0]?.number}/ship`;
  await send({ method: 'PUT', path, body: { shipment: { tracking: `1Z-${sale.number}` } } });
  sale.isShipped = true;
}

async function credit({ send, order, sale }: Stage): Promise<void> {
  const path = `/orders/${order.number}/payments/${order.payments[0]?.id}/credit`;
  await send({ method: 'PUT', path, body: { amount: '2' } });
  sale.refunds += 1;
}

/** Takes a unit back into stock and refunds it, in one request. */
async function takeBack({ send, shop, order, sale }: Stage): Promise<void> {
  const return_authorization = {
    stock_location_id: shop.locationId,
    return_authorization_reason_id: shop.reasonId,
    items: [{ variant_id: sale.variantId, quantity: 1 }],
    receive: true,
    refund: true,
  };
  const path = `/orders/${order.number}/return_authorizations`;
  await send({ method: 'POST', path, body: { return_authorization } });
  Object.assign(sale, { units: sale.units - 1, returns: 1, refunds: sale.refunds + 1 });
}
