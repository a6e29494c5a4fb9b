import { unwrap, type Order } from 'store-api-client';
import { store } from '../office';
import { Act, once, onceAt } from '../parts/act';
import { isOn, textOf, type FieldSpec, type Values } from '../parts/fields';
import { writeAmount } from '../rules/amounts';
import { moneyOf } from '../words';
import { nameOf } from '../../shared/variant-name';
import { type ShownOrder } from './order-query';

type Adjustment = Order['adjustments'][number];

const fieldsFor = (currency: string): FieldSpec[] => [
  { name: 'label', label: 'Label', isRequired: true, hint: 'The buyer sees it, also on documents.' },
  {
    name: 'amount',
    label: `Amount in ${currency}`,
    kind: 'amount',
    isRequired: true,
    hint: 'Negative for a discount, such as -5.00.',
  },
];

/** Only a part of an order has a tax rate that the amount can be taxed at. */
const TAXED: FieldSpec = { name: 'taxed', label: 'Changes the taxes too', kind: 'check' };

/** What an adjustment can be of: the order, one of its lines, or a parcel. */
const listTargets = ({ line_items, shipments = [] }: Order) => [
  ...line_items.map(({ id, variant }) => ({ value: `line_item_id ${id}`, name: nameOf(variant) })),
  ...shipments.map(({ id, number }) => ({ value: `shipment_id ${id}`, name: `Parcel ${number}` })),
];

/** Returns the field and the id of a chosen target; nothing for the whole order. */
function toTarget(values: Values): Record<string, number> {
  const [field, id] = textOf(values, 'of').split(' ');
  return field === undefined || id === undefined ? {} : { [field]: Number(id) };
}

const isOfPart = (values: Values): boolean => textOf(values, 'of') !== '';

/** Discounts and fees that staff has given by hand, and giving more. */
export function Adjustments({ order, version }: ShownOrder) {
  const { number, currency } = order;
  const canAdjust = order.state !== 'canceled';
  const all = [order, ...order.line_items, ...(order.shipments ?? [])].flatMap((of) => of.adjustments);
  const manual = all.filter(({ source_type }) => source_type === null);
  return (
    <>
      {manual.length > 0 && (
        <ul class="manual" aria-label="Adjustments">
          {manual.map((adjustment) => (
            <li key={adjustment.id}>
              {adjustment.label}: {adjustment.display_amount}{' '}
              {canAdjust && <AdjustmentButtons adjustment={adjustment} order={order} version={version} />}
            </li>
          ))}
        </ul>
      )}
      {canAdjust && (
        <Act
          name="Add a discount or fee"
          scope="orders:write"
          question={`The total of order ${number} is ${order.display_total}. The amount is added to it; what is then owed is charged or refunded under Payments.`}
          confirm={(values) =>
            textOf(values, 'amount') === '' ? 'Add' : `Add ${moneyOf(textOf(values, 'amount'), currency)}`
          }
          done={(values) =>
            `${textOf(values, 'label')} of ${moneyOf(textOf(values, 'amount'), currency)} is added.`
          }
          fields={[
            ...fieldsFor(currency),
            {
              name: 'of',
              label: 'Only for (optional)',
              kind: 'choice',
              choices: listTargets(order),
              none: 'The whole order',
            },
            { ...TAXED, isShown: isOfPart },
          ]}
          act={(key, values) =>
            unwrap(
              store.POST('/api/v1/orders/{number}/adjustments', {
                params: { path: { number } },
                headers: once(key),
                body: {
                  adjustment: {
                    label: textOf(values, 'label'),
                    amount: textOf(values, 'amount'),
                    taxed: isOfPart(values) && isOn(values, 'taxed'),
                    ...toTarget(values),
                  },
                },
              }),
            )
          }
        />
      )}
    </>
  );
}

function AdjustmentButtons({ adjustment, order, version }: ShownOrder & { adjustment: Adjustment }) {
  const { number, currency } = order;
  const { id, label, amount, taxed, display_amount } = adjustment;
  const params = { path: { number, id } };
  return (
    <>
      <Act
        name="Change"
        of={label}
        isLink
        scope="orders:write"
        question={`${label} is ${display_amount}.`}
        confirm={(values) => `Set ${moneyOf(textOf(values, 'amount'), currency)}`}
        done={`${label} is changed.`}
        fields={[
          ...fieldsFor(currency),
          { ...TAXED, isShown: () => !order.adjustments.includes(adjustment) },
        ]}
        initial={{ label, amount: writeAmount(amount, currency), taxed }}
        act={(key, values) =>
          unwrap(
            store.PUT('/api/v1/orders/{number}/adjustments/{id}', {
              params,
              headers: onceAt(key, version),
              body: {
                adjustment: {
                  label: textOf(values, 'label'),
                  amount: textOf(values, 'amount'),
                  taxed: isOn(values, 'taxed'),
                },
              },
            }),
          )
        }
      />{' '}
      <Act
        name="Remove"
        of={label}
        isLink
        scope="orders:write"
        question={`${label} of ${display_amount} is removed from the total.`}
        confirm="Remove it"
        done={`${label} is removed.`}
        act={(key) =>
          unwrap(
            store.DELETE('/api/v1/orders/{number}/adjustments/{id}', {
              params,
              headers: onceAt(key, version),
            }),
          )
        }
      />
    </>
  );
}
