import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import type { Order } from 'store-api-client';
import { Link } from 'wouter-preact';
import { nameOf } from '../../shared/variant-name';
import { picturesQuery } from '../queries';
import { useShop } from '../shop';
import { Picture } from './picture';

type Line = Order['line_items'][number];

/** The lines of an order; `children` are shown below each. */
export function LineItems({
  order,
  children,
}: {
  order: Order;
  children?: (line: Line) => ComponentChildren;
}) {
  const bare = order.line_items.flatMap(({ variant: { images, product_id } }) =>
    images.length > 0 || product_id === null ? [] : [product_id],
  );
  const { data: pictures } = useQuery(
    picturesQuery(
      useShop(),
      [...new Set(bare)].sort((a, b) => a - b),
    ),
  );
  return (
    <ul class="lines">
      {order.line_items.map((line) => {
        const { id, variant, quantity, single_display_amount, display_amount } = line;
        return (
          <li key={id}>
            <Link href={`/products/${variant.slug}`} class="line-picture" tabIndex={-1} aria-hidden="true">
              <Picture
                image={variant.images[0] ?? pictures?.get(variant.product_id ?? 0)}
                name={variant.name}
                sizes="96px"
              />
            </Link>
            <div class="line-text">
              <Link href={`/products/${variant.slug}`}>{variant.name}</Link>
              <span class="line-options">{variant.options_text}</span>
              {hasEqual(order, line) && <span class="line-options">Item no. {variant.sku}</span>}
              {order.completed_at === null && <Shortage line={line} />}
              {children?.(line) ?? (
                <span>
                  {quantity} × {single_display_amount}
                </span>
              )}
            </div>
            <span class="line-amount">{display_amount}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Whether the order has another variant of the same name and options. */
const hasEqual = ({ line_items }: Order, { id, variant }: Line): boolean =>
  line_items.some((other) => other.id !== id && nameOf(other.variant) === nameOf(variant));

/** Says that a line of a cart can no longer be bought, or not as often. */
function Shortage({ line: { variant, quantity } }: { line: Line }) {
  const { is_destroyed, is_orderable, is_backorderable, total_on_hand } = variant;
  const hasFew = !is_backorderable && total_on_hand !== null && total_on_hand < quantity;
  if (is_destroyed) return <span class="line-out">No longer sold</span>;
  if (!is_orderable) return <span class="line-out">Sold out</span>;
  return hasFew ? <span class="line-out">Only {total_on_hand} left</span> : null;
}
