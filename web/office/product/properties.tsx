import { unwrap, type Product } from 'store-api-client';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { optional, textOf } from '../parts/fields';

/** The properties of a product, such as its material. */
export function Properties({ product: { id, name, product_properties } }: { product: Product }) {
  const product_id = String(id);
  return (
    <section class="box">
      <h2>Properties</h2>
      {product_properties.length === 0 && <p class="quiet">None</p>}
      <dl class="pairs">
        {product_properties.map(({ id: property, property_name, value }) => {
          const params = { path: { product_id, id: String(property) } };
          return (
            <div key={property}>
              <dt>{property_name}</dt>
              <dd>
                {value}
                <div class="row-buttons">
                  <Act
                    name="Change"
                    of={property_name}
                    isLink
                    scope="catalog:write"
                    question={`Shoppers see the property ${property_name} of ${name}.`}
                    confirm="Save"
                    done={`${property_name} is saved.`}
                    fields={[{ name: 'value', label: property_name }]}
                    initial={{ value: value ?? '' }}
                    act={(key, values) =>
                      unwrap(
                        store.PUT('/api/v1/products/{product_id}/product_properties/{id}', {
                          params,
                          headers: once(key),
                          body: { product_property: { value: optional(values, 'value') } },
                        }),
                      )
                    }
                  />
                  <Act
                    name="Remove"
                    of={property_name}
                    isLink
                    scope="catalog:write"
                    question={`${name} no longer has the property ${property_name}.`}
                    confirm="Remove it"
                    done={`${property_name} is removed.`}
                    act={(key) =>
                      unwrap(
                        store.DELETE('/api/v1/products/{product_id}/product_properties/{id}', {
                          params,
                          headers: once(key),
                        }),
                      )
                    }
                  />
                </div>
              </dd>
            </div>
          );
        })}
      </dl>
      <div class="actions">
        <Act
          name="Add a property"
          scope="catalog:write"
          question={`Shoppers see it on the page of ${name}, and may filter by it.`}
          confirm="Add the property"
          done={(values) => `${textOf(values, 'property_name')} is added.`}
          fields={[
            { name: 'property_name', label: 'Name', isRequired: true, hint: 'Such as material.' },
            { name: 'value', label: 'Value', isRequired: true },
          ]}
          act={(key, values) =>
            unwrap(
              store.POST('/api/v1/products/{product_id}/product_properties', {
                params: { path: { product_id } },
                headers: once(key),
                body: {
                  product_property: {
                    property_name: textOf(values, 'property_name'),
                    value: textOf(values, 'value'),
                  },
                },
              }),
            )
          }
        />
      </div>
    </section>
  );
}
