import type { Order } from 'store-api-client';
import { moneyOf, sumOf } from './money';

const isZero = (amount: string): boolean => Number(amount) === 0;

/** The discounts and fees of an order, each label once; taxes have a row of their own. */
function listDiscounts({ adjustments, line_items, shipments, currency }: Order) {
  const listed = new Map<string, typeof adjustments>();
  for (const adjustment of [
    ...adjustments,
    ...line_items.flatMap((line) => line.adjustments),
    ...(shipments ?? []).flatMap((shipment) => shipment.adjustments),
  ]) {
    const { eligible, source_type, amount } = adjustment;
    if (!eligible || source_type === 'Store::TaxRate' || isZero(amount)) continue;
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

/** What an order costs, row by row. */
export function Totals({ order }: { order: Order }) {
  const rows = [
    { label: 'Items', amount: order.display_item_total },
    ...listDiscounts(order),
    ...((order.shipments ?? []).length > 0 ? [{ label: 'Delivery', amount: order.display_ship_total }] : []),
    ...(isZero(order.additional_tax_total)
      ? []
      : [{ label: 'Tax', amount: order.display_additional_tax_total }]),
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
