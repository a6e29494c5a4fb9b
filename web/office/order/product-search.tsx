import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { store } from '../office';
import { nameOf } from '../../shared/variant-name';

const SHOWN = 8;
const SHORTEST = 2;

interface ProductSearchProps {
  /** A part of a name, or of an SKU. */
  text: string;
  choose: (sku: string) => void;
}

/** The products that a typed text finds, to choose one by its name instead of its SKU. */
export function ProductSearch({ text, choose }: ProductSearchProps) {
  const { data } = useQuery({
    queryKey: ['product search', text],
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/variants', {
          params: {
            query: {
              q: { product_name_or_sku_cont: text, default_price_amount_not_null: true, s: 'sku asc' },
              per_page: SHOWN,
              fields: 'id,name,sku,display_price,options_text,total_on_hand',
            },
          },
          signal,
        }),
      ),
    enabled: text.length >= SHORTEST,
    placeholderData: keepPreviousData,
  });
  if (text.length < SHORTEST || data === undefined) return null;
  const found = data.variants.filter(({ sku }) => sku !== '');
  if (found.some(({ sku }) => sku === text)) {
    const [chosen] = found.filter(({ sku }) => sku === text);
    return (
      <p class="quiet" role="status">
        {chosen !== undefined && `${nameOf(chosen)}, ${chosen.display_price}`}
      </p>
    );
  }
  if (found.length === 0)
    return (
      <p class="quiet" role="status">
        No product has this name or SKU.
      </p>
    );
  return (
    <ul class="found-list" aria-label="Products found">
      {found.map((variant) => (
        <li key={variant.id}>
          <button type="button" class="link" onClick={() => choose(variant.sku)}>
            {nameOf(variant)}
          </button>
          <span class="quiet">
            {variant.sku}, {variant.display_price}
            {variant.total_on_hand !== null && `, ${variant.total_on_hand} on hand`}
          </span>
        </li>
      ))}
    </ul>
  );
}
