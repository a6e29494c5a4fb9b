import type { Caller } from './api';
import type { GermanShop } from './german-shop';
import { GOOD_CARD } from './orders.factory';
import { unique } from './unique';

/**
 * Sells line items to a guest in the German shop, paid by card. @param more.inConfirm what happens before the order is confirmed
 * @returns the order with the caller who owns it
 */
export async function sellInGermany(
  shop: GermanShop,
  line_items: readonly { variant_id: number; quantity: number }[],
  {
    country,
    order = {},
    inConfirm,
  }: { country?: number; order?: object; inConfirm?: () => Promise<void> } = {},
): Promise<any> {
  const address = {
    firstname: 'Jürgen',
    lastname: 'Groß',
    address1: 'Hauptstr. 1',
    city: 'Berlin',
    zipcode: '10115',
    phone: '030 1234',
    country_id: country ?? shop.countries.germany,
  };
  const send = async (path: string, body: object, token?: string): Promise<any> => {
    const client = shop.as(token === undefined ? {} : { orderToken: token });
    const reply = await (token === undefined ? client.post(path, body) : client.put(path, body));
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const cart = await send('/orders', {
    order: {
      email: `${unique('kunde')}@example.com`,
      line_items,
      ...order,
      bill_address_attributes: address,
      ship_address_attributes: address,
    },
  });
  const path = `/checkouts/${cart.number}`;
  await send(`${path}/advance`, {}, cart.token);
  await send(
    path,
    {
      order: { payments_attributes: [{ payment_method_id: shop.card }] },
      payment_source: { [shop.card]: GOOD_CARD },
    },
    cart.token,
  );
  await inConfirm?.();
  const sold = await send(path, {}, cart.token);
  if (sold.state !== 'complete') throw new Error(`the order is in ${sold.state}`);
  return { ...sold, caller: { orderToken: cart.token } satisfies Caller };
}
