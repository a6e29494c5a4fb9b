import type { Order } from 'store-api-client';

const isZero = (amount: string): boolean => Number(amount) === 0;

/** The discounts and fees of an order, each as the store has calculated it; taxes have a row of their own. */
export function listDiscounts({ adjustments, line_items, shipments }: Order) {
  return [
    ...adjustments.map((adjustment) => ({ adjustment, of: '' })),
    ...line_items.flatMap((line) =>
      line.adjustments.map((adjustment) => ({ adjustment, of: line.variant.name })),
    ),
    ...(shipments ?? []).flatMap((shipment) =>
      shipment.adjustments.map((adjustment) => ({ adjustment, of: 'Delivery' })),
    ),
  ]
    .filter(
      ({ adjustment: { eligible, source_type, amount } }) =>
        eligible && source_type !== 'Store::TaxRate' && !isZero(amount),
    )
    .map(({ adjustment: { id, label, display_amount }, of }) => ({
      id,
      label: of === '' ? label : `${label}: ${of}`,
      display_amount,
    }));
}

/** What an order costs, row by row. */
export function Totals({ order }: { order: Order }) {
  const rows = [
    { label: 'Items', amount: order.display_item_total },
    ...listDiscounts(order).map(({ label, display_amount }) => ({ label, amount: display_amount })),
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
