import { unwrap } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { optional, textOf } from '../parts/fields';

/** Adds a product, and opens its page. */
export function NewProduct() {
  const [, go] = useLocation();
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
        { name: 'description', label: 'Description (optional)', kind: 'long' },
      ]}
      act={async (key, values) => {
        const { slug } = await unwrap(
          store.POST('/api/v1/products', {
            headers: once(key),
            body: {
              product: {
                name: textOf(values, 'name'),
                price: textOf(values, 'price'),
                sku: optional(values, 'sku'),
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
