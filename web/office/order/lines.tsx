import { StoreError, unwrap, type LineItem, type Order } from 'store-api-client';
import { OwnRefusal } from '../../shared/messages';
import { store } from '../office';
import { Act, once, onceAt } from '../parts/act';
import { textOf, wholeOf, type Values } from '../parts/fields';
import { Table, type Column } from '../parts/table';
import { VariantLink } from '../parts/variant-link';
import { writeAmount } from '../rules/amounts';
import { moneyOf } from '../words';
import { nameOf } from '../../shared/variant-name';
import { type ShownOrder } from './order-query';
import { ProductSearch } from './product-search';

const STOCK = 'Added units are taken from stock, removed ones go back.';
const MONEY = 'The total changes; what is then owed is charged or refunded under Payments.';

/** The lines of an order, which staff changes also after the sale. */
export function Lines({ order, version }: ShownOrder) {
  const { number, currency, line_items, state } = order;
  const isOpen = state !== 'canceled' && state !== 'returned';
  const columns: readonly Column<LineItem>[] = [
    { name: 'Product', cell: ({ variant }) => <VariantLink variant={variant} /> },
    { name: 'SKU', cell: ({ variant }) => variant.sku },
    { name: 'Price', isNumber: true, cell: ({ single_display_amount }) => single_display_amount },
    { name: 'Units', isNumber: true, cell: ({ quantity }) => quantity },
    { name: 'Amount', isNumber: true, cell: ({ display_amount }) => display_amount },
    {
      name: 'Actions',
      scope: 'orders:write',
      cell: (line) => isOpen && <LineButtons line={line} order={order} version={version} />,
    },
  ];
  return (
    <section class="box">
      <h2>Items</h2>
      <Table name="Items" columns={columns} rows={line_items} keyOf={({ id }) => id} />
      {isOpen && (
        <div class="actions">
          <Act
            name="Add an item"
            scope="orders:write"
            question={`The item is added to order ${number} at its current price. ${STOCK} ${MONEY}`}
            confirm={(values) =>
              textOf(values, 'sku') === ''
                ? 'Add'
                : `Add ${textOf(values, 'quantity')} × ${textOf(values, 'sku')}`
            }
            done={(values) => `${textOf(values, 'sku')} is added to order ${number}.`}
            fields={[
              { name: 'sku', label: 'SKU or name of the product', isRequired: true },
              { name: 'quantity', label: 'Units', kind: 'whole', isRequired: true },
              {
                name: 'price',
                label: `Price in ${currency} (optional)`,
                kind: 'amount',
                hint: 'Instead of the price of the product.',
              },
            ]}
            initial={{ quantity: '1' }}
            act={(key, values) => addLine(number, key, values)}
          >
            {(values, setValues) => (
              <ProductSearch text={textOf(values, 'sku')} choose={(sku) => setValues({ ...values, sku })} />
            )}
          </Act>
        </div>
      )}
    </section>
  );
}

/** Adds a line to an order. @throws OwnRefusal if no product has the SKU */
async function addLine(number: string, key: string, values: Values): Promise<unknown> {
  const [sku, price] = [textOf(values, 'sku'), textOf(values, 'price')];
  const { data, error, response } = await store.POST('/api/v1/orders/{number}/line_items', {
    params: { path: { number } },
    headers: once(key),
    body: {
      line_item: { sku, quantity: wholeOf(values, 'quantity'), ...(price !== '' && { price }) },
    },
  });
  if (response.status === 404)
    throw new OwnRefusal(
      `No product has the SKU ${sku}. Type a part of its name, and choose it from the list.`,
    );
  if (error !== undefined) throw new StoreError(response, error);
  return data;
}

/** Returns how many units of a variant have left the store. */
const countSent = ({ shipments = [] }: Order, variantId: number): number =>
  shipments
    .flatMap(({ manifest }) => manifest)
    .filter(({ variant_id }) => variant_id === variantId)
    .reduce((sum, { states }) => sum + (states['shipped'] ?? 0) + (states['returned'] ?? 0), 0);

function LineButtons({ line, order, version }: ShownOrder & { line: LineItem }) {
  const { number, currency } = order;
  const { id, variant, quantity, price } = line;
  const shownPrice = writeAmount(price, currency);
  const sent = countSent(order, line.variant_id);
  const params = { path: { number, id } };
  const name = nameOf(variant);
  return (
    <div class="row-buttons">
      <Act
        name="Change"
        of={name}
        isLink
        scope="orders:write"
        question={`Order ${number} has ${quantity} × ${name}. ${sent === 0 ? STOCK : `Shipped: ${sent}; what comes back is a return.`} ${MONEY}`}
        confirm={(values) =>
          `Set ${textOf(values, 'quantity')} × ${moneyOf(textOf(values, 'price'), currency)}`
        }
        done={`${name} is changed.`}
        fields={[
          { name: 'quantity', label: 'Units', kind: 'whole', isRequired: true },
          { name: 'price', label: `Price in ${currency}`, kind: 'amount', isRequired: true },
        ]}
        initial={{ quantity: String(quantity), price: shownPrice }}
        act={(key, values) =>
          unwrap(
            store.PUT('/api/v1/orders/{number}/line_items/{id}', {
              params,
              headers: onceAt(key, version),
              body: {
                line_item: {
                  quantity: wholeOf(values, 'quantity'),
                  // Sent, a price replaces the one that the buyer got.
                  ...(textOf(values, 'price') !== shownPrice && { price: textOf(values, 'price') }),
                },
              },
            }),
          )
        }
      />
      {sent === 0 && (
        <Act
          name="Remove"
          of={name}
          isLink
          scope="orders:write"
          question={`${quantity} × ${name} leaves order ${number} and goes back to stock. ${MONEY}`}
          confirm="Remove the item"
          done={`${name} is removed.`}
          act={(key) =>
            unwrap(
              store.DELETE('/api/v1/orders/{number}/line_items/{id}', {
                params,
                headers: onceAt(key, version),
              }),
            )
          }
        />
      )}
    </div>
  );
}
