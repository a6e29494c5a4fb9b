import { useQuery } from '@tanstack/preact-query';
import { unwrap, type Product } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { store } from '../office';
import { Act, once, onceAt } from '../parts/act';
import { listChanged, mergeIds, toChoices, wholeOf } from '../parts/fields';
import { unwrapVersioned } from '../parts/requests';
import { shippingCategoriesQuery, taxCategoriesQuery, taxonsQuery } from '../queries';
import { dateOf, isFuture, pathOf } from '../words';
import { Properties } from './properties';

/** Whether a product is on sale, in which categories, and what it is made of. */
export function Sale({ product }: { product: Product }) {
  const { id, name, available_on, taxon_ids, in_stock, total_on_hand } = product;
  const [, go] = useLocation();
  const { data: taxons = [] } = useQuery(taxonsQuery);
  const params = { path: { id: String(id) } };
  const isOnSale = available_on !== null;
  return (
    <>
      <section class="box">
        <h2>Sale</h2>
        <p>{describeSale(available_on)}</p>
        {total_on_hand === 0 && (
          <p class="quiet">
            {in_stock
              ? 'Nothing is on hand. It can still be ordered, and is shipped when stock arrives.'
              : 'Sold out: nothing is on hand, so it cannot be ordered.'}
          </p>
        )}
        <div class="actions">
          <Act
            name={isOnSale ? 'Take off sale' : 'Put on sale'}
            scope="catalog:write"
            question={
              isOnSale
                ? `${name} disappears from the shop. Carts that contain it can still be completed.`
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
            act={async (key, values, opened) => {
              const { record, version } = await unwrapVersioned(
                store.GET('/api/v1/products/{id}', { params }),
              );
              return unwrap(
                store.PUT('/api/v1/products/{id}', {
                  params,
                  headers: onceAt(key, version),
                  body: { product: { taxon_ids: mergeIds(record.taxon_ids, values, opened, 'taxon_ids') } },
                }),
              );
            }}
          />
        </div>
      </section>
      <ShippingAndTax product={product} />
      <Properties product={product} />
    </>
  );
}

/** Says from when on shoppers see a product. */
function describeSale(available_on: string | null): string {
  if (available_on === null) return 'Not on sale: shoppers do not see it.';
  return isFuture(available_on)
    ? `On sale from ${dateOf(available_on)}: until then, shoppers do not see it.`
    : `On sale since ${dateOf(available_on)}`;
}

/** The API does not show the tax category of a product. */
const UNCHANGED = 'unchanged';

/** The categories that freight and taxes depend on. */
function ShippingAndTax({ product }: { product: Product }) {
  const { id, name, shipping_category_id } = product;
  const { data: shipping = [] } = useQuery(shippingCategoriesQuery);
  const { data: taxes = [] } = useQuery(taxCategoriesQuery);
  return (
    <section class="box">
      <h2>Shipping and tax</h2>
      <dl class="pairs">
        <div>
          <dt>Shipping category</dt>
          <dd>{shipping.find((category) => category.id === shipping_category_id)?.name}</dd>
        </div>
      </dl>
      <div class="actions">
        <Act
          name="Change"
          of="shipping and tax"
          scope="catalog:write"
          question={`Open carts with ${name} get their freight and taxes by these. Orders keep theirs.`}
          confirm="Save"
          done="Shipping and tax are saved."
          fields={[
            {
              name: 'shipping_category_id',
              label: 'Shipping category',
              kind: 'choice',
              isRequired: true,
              choices: toChoices(shipping),
            },
            {
              name: 'tax_category_id',
              label: 'Tax category',
              kind: 'choice',
              isRequired: true,
              choices: [{ value: UNCHANGED, name: 'As it is' }, ...toChoices(taxes)],
            },
          ]}
          initial={{
            shipping_category_id: String(shipping_category_id),
            tax_category_id: UNCHANGED,
          }}
          act={(key, values, opened) =>
            unwrap(
              store.PUT('/api/v1/products/{id}', {
                params: { path: { id: String(id) } },
                headers: once(key),
                body: {
                  product: Object.fromEntries(
                    listChanged(values, opened).map((field) => [field, wholeOf(values, field)]),
                  ),
                },
              }),
            )
          }
        />
      </div>
    </section>
  );
}
