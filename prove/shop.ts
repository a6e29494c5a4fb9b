import { STRIPE_KEY } from '../test/support/stripe-server';
import type { Body, Send } from './client';

/** What the clients sell. */
export interface Shop {
  variants: readonly { id: number; stock: number }[];
  paymentMethodId: number;
  locationId: number;
  reasonId: number;
}

const VARIANTS = 6;
const STOCK = 10_000;

/** Fills an empty store: products with stock, the payment method and the webhook. */
export async function openShop(send: Send, webhookUrl: string): Promise<Shop> {
  const create = async (path: string, body: object): Promise<Body> =>
    (await send({ method: 'POST', path, body })).body;
  const list = async (path: string): Promise<Body> => (await send({ method: 'GET', path })).body;
  await create('/webhooks', { webhook: { url: webhookUrl, events: ['*'] } });
  const preferences = { secret_key: STRIPE_KEY, publishable_key: 'pk_test_1', webhook_secret: 'whsec_prove' };
  const method = await create('/payment_methods', {
    payment_method: { name: 'Stripe', gateway: 'stripe', preferences },
  });
  const location = first((await list('/stock_locations')).stock_locations);
  const variants: { id: number; stock: number }[] = [];
  for (let index = 0; index < VARIANTS; index += 1) {
    const product = await create('/products', {
      product: {
        name: `Mug ${index}`,
        price: `${10 + index}.50`,
        shipping_category: 'Default',
        available_on: '2026-01-01',
      },
    });
    const variantId = product.master.id;
    const items = `/stock_locations/${location.id}/stock_items?q[variant_id_eq]=${variantId}`;
    const item = first((await list(items)).stock_items);
    await create(`/stock_locations/${location.id}/stock_movements`, {
      stock_movement: { stock_item_id: item.id, quantity: STOCK, action: 'received' },
    });
    variants.push({ id: variantId, stock: STOCK });
  }
  const reason = first((await list('/return_authorization_reasons')).return_authorization_reasons);
  return { variants, paymentMethodId: method.id, locationId: location.id, reasonId: reason.id };
}

function first<T>(records: readonly T[]): T {
  const [record] = records;
  if (record === undefined) throw new Error('the reference data is missing');
  return record;
}
