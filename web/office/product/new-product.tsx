import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { optional, textOf, toChoices, wholeOf } from '../parts/fields';
import { shippingCategoriesQuery } from '../queries';

/** Adds a product, and opens its page. */
export function NewProduct() {
  const [, go] = useLocation();
  const { data: categories = [] } = useQuery(shippingCategoriesQuery);
  return (
    <Act
      name="Add a product"
      isQuiet={false}
      scope="catalog:write"
      question="The product is not on sale until you say so on its page."
      confirm="Add the product"
      done={(values) => `${textOf(values, 'name')} is added.`}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'price', label: 'Price', kind: 'amount', isRequired: true },
        { name: 'sku', label: 'SKU (optional)' },
        {
          name: 'shipping_category_id',
          label: 'Shipping category',
          kind: 'choice',
          isRequired: true,
          choices: toChoices(categories),
        },
        { name: 'description', label: 'Description (optional)', kind: 'long' },
      ]}
      initial={{ shipping_category_id: String(categories[0]?.id ?? '') }}
      act={async (key, values) => {
        const category = wholeOf(values, 'shipping_category_id');
        const { slug } = await unwrap(
          store.POST('/api/v1/products', {
            headers: once(key),
            body: {
              product: {
                name: textOf(values, 'name'),
                price: textOf(values, 'price'),
                available_on: null,
                sku: optional(values, 'sku'),
                ...(category !== null && { shipping_category_id: category }),
                description: optional(values, 'description'),
              },
            },
          }),
        );
        go(`/products/${slug}`);
      }}
    />
  );
}
