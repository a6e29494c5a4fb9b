import type { Order } from 'store-api-client';
import { Link } from 'wouter-preact';
import { describeError, readMessages } from '../../shared/messages';
import { nameOf } from '../../shared/variant-name';

/** An error of the checkout, with the lines that are out of stock; nothing without an error. */
export function Refusal({ error, order, text }: { error: unknown; order: Order; text?: string | null }) {
  if (error === null) return null;
  const { shortages } = readMessages(error);
  const lines = order.line_items.flatMap(({ id, variant }) => {
    const available = shortages.find((shortage) => shortage.id === id)?.available;
    return available === undefined ? [] : [{ id, name: nameOf(variant), available }];
  });
  return (
    <div class="notice notice-bad" role="alert">
      <p>{text ?? describeError(error)}</p>
      {lines.length > 0 && (
        <>
          <ul>
            {lines.map(({ id, name, available }) => (
              <li key={id}>
                {name}: {available > 0 ? `only ${available} left` : 'sold out'}
              </li>
            ))}
          </ul>
          <Link href="/cart">Change the cart</Link>
        </>
      )}
    </div>
  );
}
