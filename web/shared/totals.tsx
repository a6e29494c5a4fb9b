import type { Order } from 'store-api-client';
import { moneyOf, sumOf, toUnits } from './money';

const isZero = (amount: string): boolean => Number(amount) === 0;

/** All adjustments that count: of the order, its lines and its shipments. */
const listAdjustments = ({ adjustments, line_items, shipments }: Order) =>
  [
    ...adjustments,
    ...line_items.flatMap((line) => line.adjustments),
    ...(shipments ?? []).flatMap((shipment) => shipment.adjustments),
  ].filter(({ eligible, amount }) => eligible && !isZero(amount));

const isTax = ({ source_type }: Order['adjustments'][number]): boolean => source_type === 'Store::TaxRate';

/** The discounts and fees of an order, each label once; taxes have a row of their own. */
function listDiscounts(order: Order) {
  const { currency } = order;
  const listed = new Map<string, Order['adjustments']>();
  for (const adjustment of listAdjustments(order)) {
    const { source_type } = adjustment;
    if (isTax(adjustment)) continue;
    // The API calls the credit of a return `RMA Credit`.
    const label = source_type === 'Store::ReturnAuthorization' ? 'Returned items' : adjustment.label;
    listed.set(label, [...(listed.get(label) ?? []), adjustment]);
  }
  return [...listed].map(([label, parts]) => {
    const amounts = parts.map(({ amount }) => amount);
    const shown = moneyOf(sumOf(amounts, currency), currency);
    return { label, amount: parts.length === 1 ? (parts[0]?.display_amount ?? shown) : shown };
  });
}

/** The tax that was charged on top. `additional_tax_total` lacks the tax of returned items, which their row contains. */
const chargedTaxOf = (order: Order): string =>
  sumOf(
    listAdjustments(order)
      .filter((adjustment) => isTax(adjustment) && !adjustment.included)
      .map(({ amount }) => amount),
    order.currency,
  );

/** What an order costs, row by row, which add up to the total. */
export function Totals({ order }: { order: Order }) {
  const { currency, additional_tax_total } = order;
  const tax = chargedTaxOf(order);
  const isReturned = toUnits(tax, currency) !== toUnits(additional_tax_total, currency);
  const rows = [
    { label: 'Items', amount: order.display_item_total },
    ...listDiscounts(order),
    ...((order.shipments ?? []).length > 0 ? [{ label: 'Delivery', amount: order.display_ship_total }] : []),
    ...(isZero(tax)
      ? []
      : [{ label: 'Tax', amount: isReturned ? moneyOf(tax, currency) : order.display_additional_tax_total }]),
  ];
  return (
    <table class="totals">
      <caption class="visually-hidden">Totals</caption>
      <tbody>
        {rows.map(({ label, amount }, index) => (
          <tr key={index}>
            <th scope="row">{label}</th>
            <td>{amount}</td>
          </tr>
        ))}
        <tr class="total">
          <th scope="row">Total</th>
          <td>{order.display_total}</td>
        </tr>
        {!isZero(order.included_tax_total) && (
          <tr class="included">
            <th scope="row">Includes tax</th>
            <td>{order.display_included_tax_total}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
