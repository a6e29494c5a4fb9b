import { useQuery } from '@tanstack/preact-query';
import { unwrap, type Product } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { idsOf } from '../parts/fields';
import { taxonsQuery } from '../queries';
import { dateOf, pathOf } from '../words';
import { Properties } from './properties';

/** Whether a product is on sale, in which categories, and what it is made of. */
export function Sale({ product }: { product: Product }) {
  const { id, name, available_on, taxon_ids } = product;
  const [, go] = useLocation();
  const { data: taxons = [] } = useQuery(taxonsQuery);
  const params = { path: { id: String(id) } };
  const isOnSale = available_on !== null;
  return (
    <>
      <section class="box">
        <h2>Sale</h2>
        <p>{isOnSale ? `On sale since ${dateOf(available_on)}` : 'Not on sale: shoppers do not see it.'}</p>
        <div class="actions">
          <Act
            name={isOnSale ? 'Take off sale' : 'Put on sale'}
            scope="catalog:write"
            question={
              isOnSale
                ? `${name} disappears from the shop. Carts that contain it cannot be completed with it.`
                : `${name} appears in the shop at once.`
            }
            confirm={isOnSale ? 'Take off sale' : 'Put on sale'}
            done={`${name} is ${isOnSale ? 'off' : 'on'} sale.`}
            act={(key) =>
              unwrap(
                store.PUT('/api/v1/products/{id}', {
                  params,
                  headers: once(key),
                  body: { product: { available_on: isOnSale ? null : new Date().toISOString() } },
                }),
              )
            }
          />
          <Act
            name="Delete"
            scope="catalog:write"
            question={`${name} and its variants are deleted. Orders that contain it keep it.`}
            confirm="Delete the product"
            done={`${name} is deleted.`}
            act={async (key) => {
              await unwrap(store.DELETE('/api/v1/products/{id}', { params, headers: once(key) }));
              go('/products');
            }}
          />
        </div>
      </section>
      <section class="box">
        <h2>Categories</h2>
        <ul>
          {taxon_ids.length === 0 && <li class="quiet">None</li>}
          {taxons
            .filter((taxon) => taxon_ids.includes(taxon.id))
            .map((taxon) => (
              <li key={taxon.id}>{pathOf(taxon)}</li>
            ))}
        </ul>
        <div class="actions">
          <Act
            name="Change"
            of="the categories"
            scope="catalog:write"
            question={`Shoppers find ${name} in these categories.`}
            confirm="Save"
            done="The categories are saved."
            fields={[
              {
                name: 'taxon_ids',
                label: 'Categories',
                kind: 'many',
                choices: taxons.map((taxon) => ({ value: String(taxon.id), name: pathOf(taxon) })),
              },
            ]}
            initial={{ taxon_ids: taxon_ids.map(String) }}
            act={(key, values) =>
              unwrap(
                store.PUT('/api/v1/products/{id}', {
                  params,
                  headers: once(key),
                  body: { product: { taxon_ids: idsOf(values, 'taxon_ids') } },
                }),
              )
            }
          />
        </div>
      </section>
      <Properties product={product} />
    </>
  );
}
