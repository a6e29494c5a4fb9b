import { asAdmin } from './accounts.factory';
import { unique } from './unique';

/**
 * Creates a promotion through the API and returns the body of the reply: by default 10 percent off the order
 * with a unique code. Automatic ones apply to every order of the test file: restrict them by a rule, or
 * delete them.
 */
export async function aPromotion(attributes: object = {}): Promise<any> {
  const reply = await (
    await asAdmin()
  ).post('/promotions', {
    promotion: {
      name: unique('Promotion'),
      code: unique('CODE'),
      actions: [{ type: 'order_percent', percent: '10' }],
      ...attributes,
    },
  });
  if (reply.status !== 201) throw new Error(`no promotion: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** Builds a rule that limits a promotion to some products. */
export function onlyFor(...variants: { product_id: number }[]): object {
  return { type: 'product', product_ids: variants.map(({ product_id }) => product_id) };
}
