import type { Knex } from 'knex';

interface ReportReply {
  rows: Record<string, string | number>[];
  totals: Record<string, string | number>;
}

type Read = (name: string, group_by?: string) => Promise<ReportReply>;

/** Returns an amount in cents. */
const cents = (amount: string | number | null): bigint => {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(String(amount ?? '0')) ?? [];
  const value = BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
  return sign === '-' ? -value : value;
};

const addUp = (rows: readonly Record<string, any>[], column: string): bigint =>
  rows.reduce((sum, row) => sum + cents(row[column]), 0n);

/**
 * Compares the reports of a store without orders in other currencies with sums that are calculated from its rows, one
 * by one. @returns descriptions of the differences
 */
export async function findReportProblems(db: Knex, read: Read): Promise<string[]> {
  const orders = await db('orders').whereNotNull('completed_at').whereNot({ state: 'canceled' }).select();
  const ids = orders.map(({ id }) => id);
  const problems: string[] = [];
  const expectSum = (what: string, actual: bigint, expected: bigint): void => {
    if (actual !== expected) problems.push(`${what}: ${actual} cents instead of ${expected}`);
  };
  const readChecked = async (
    name: string,
    group_by: string,
    columns: readonly string[],
  ): Promise<ReportReply> => {
    const report = await read(name, group_by === '' ? undefined : group_by);
    for (const column of columns) {
      expectSum(
        `rows of ${name} ${group_by} ${column}`,
        addUp(report.rows, column),
        cents(report.totals[column] ?? 0),
      );
    }
    return report;
  };

  const expected = {
    units: addUp(orders, 'total_quantity'),
    item_total: addUp(orders, 'item_total'),
    discount_total: addUp(orders, 'promo_total'),
    ship_total: addUp(orders, 'ship_total'),
    tax_total: addUp(orders, 'included_tax_total') + addUp(orders, 'additional_tax_total'),
    total: addUp(orders, 'total'),
  };
  for (const group of ['day', 'week', 'month', 'country']) {
    const { totals } = await readChecked('sales', group, ['orders', ...Object.keys(expected)]);
    expectSum(`sales by ${group}: orders`, cents(totals['orders'] ?? 0), BigInt(orders.length) * 100n);
    for (const [column, sum] of Object.entries(expected)) {
      expectSum(`sales by ${group}: ${column}`, cents(totals[column] ?? 0), sum);
    }
  }

  // What belongs to no product: freight and adjustments of orders, less what returns credited of them.
  const shipments = await db('shipments').whereIn('order_id', ids).select();
  const ofOrders = await db('adjustments')
    .whereIn('order_id', ids)
    .where({ eligible: true, line_item_id: null, shipment_id: null })
    .select(
      db.raw('CASE WHEN included THEN 0 ELSE amount END AS amount'),
      db.raw(
        `CASE source_type WHEN 'Store::TaxRate' THEN amount ELSE coalesce(-included_tax - additional_tax, 0) END AS taxes`,
      ),
    );
  const returned = await db('return_items')
    .join('adjustments AS credit', 'credit.source_id', 'return_items.return_authorization_id')
    .where({ 'credit.source_type': 'Store::ReturnAuthorization' })
    .whereIn('credit.order_id', ids)
    .groupBy('credit.id')
    .select(
      db.raw('least(sum(return_items.amount), -min(credit.amount)) AS amount'),
      db.raw(
        `CASE WHEN sum(return_items.additional_tax) < 0
              THEN greatest(sum(return_items.additional_tax), min(credit.additional_tax))
              ELSE least(sum(return_items.included_tax + return_items.additional_tax), greatest(min(credit.included_tax + credit.additional_tax), 0))
         END AS taxes`,
      ),
    );
  const others =
    addUp(shipments, 'cost') +
    addUp(shipments, 'adjustment_total') +
    addUp(ofOrders, 'amount') +
    addUp(returned, 'amount');
  const shipmentTaxes =
    addUp(shipments, 'included_tax_total') +
    addUp(shipments, 'additional_tax_total') +
    addUp(ofOrders, 'taxes') +
    addUp(returned, 'taxes');
  for (const group of ['product', 'variant']) {
    const { totals } = await readChecked('sales', group, [
      'units',
      'item_total',
      'discount_total',
      'tax_total',
      'total',
    ]);
    expectSum(`sales by ${group}: units`, cents(totals['units'] ?? 0), expected.units);
    expectSum(`sales by ${group}: item_total`, cents(totals['item_total'] ?? 0), expected.item_total);
    expectSum(
      `sales by ${group}: tax_total`,
      cents(totals['tax_total'] ?? 0) + shipmentTaxes,
      expected.tax_total,
    );
    expectSum(`sales by ${group}: total`, cents(totals['total'] ?? 0) + others, expected.total);
  }
  const { totals: products } = await readChecked('products', '', ['units', 'returned', 'total']);
  expectSum('products: total', cents(products['total'] ?? 0) + others, expected.total);

  // Included taxes that are not charged are no tax, but lower the base, and what returns credit of it.
  const relieved = await db('adjustments')
    .whereIn('order_id', ids)
    .whereRaw(
      `(source_type = 'Store::TaxRate' AND eligible AND NOT included AND rate < 0
        OR source_type = 'Store::ReturnAuthorization' AND additional_tax < 0)`,
    )
    .select(db.raw('coalesce(-additional_tax, amount) AS amount'));
  for (const group of ['day', 'month', 'rate']) {
    const { rows, totals } = await readChecked('taxes', group, ['tax', 'base']);
    expectSum(`taxes by ${group}`, cents(totals['tax'] ?? 0), expected.tax_total - addUp(relieved, 'amount'));
    expectSum(
      `taxes by ${group}: base and tax`,
      cents(totals['base'] ?? 0) + cents(totals['tax'] ?? 0),
      expected.total,
    );
    const included = rows.filter((row) => Boolean(row['included']));
    expectSum(`taxes by ${group}: included`, addUp(included, 'tax'), addUp(orders, 'included_tax_total'));
  }

  const refunds = await db('refunds').select('amount');
  for (const group of ['day', 'month', 'reason']) {
    const { totals } = await readChecked('refunds', group, ['count', 'total']);
    expectSum(`refunds by ${group}`, cents(totals['total'] ?? 0), addUp(refunds, 'amount'));
  }
  return problems;
}
