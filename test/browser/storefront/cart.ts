import type { Order } from 'store-api-client';
import { element, find } from './elements';

export type Cart = Order;

/** Shows the line items and totals of the cart. */
export function showCart(cart: Cart): void {
  const rows = cart.line_items.map(({ quantity, variant, display_amount }) =>
    element('li', {}, `${quantity} × ${variant.name} (${variant.options_text}): ${display_amount}`),
  );
  find('cart').replaceChildren(
    element('ul', {}, ...rows),
    element('p', { id: 'totals' }, `${cart.total_quantity} units, ${cart.display_total}`),
  );
}
