import { Turnover } from './account';
import type { Play } from './act';
import { add, addBy, readAmount, readRate, take } from './figures';
import type { Sale } from './sale';

const asText = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : JSON.stringify(value);

/** Collects differences between the store and the books. */
class Differences {
  readonly list: string[] = [];

  expect(what: string, actual: unknown, expected: unknown): void {
    if (asText(actual) !== asText(expected)) {
      this.list.push(`${what}: ${asText(actual)} instead of ${asText(expected)}`);
    }
  }
}

/** Compares an order and its documents with the books. @returns the differences */
export async function auditSale({ shop, story }: Play, sale: Sale): Promise<string[]> {
  const differences = new Differences();
  const read = (text: unknown): bigint => readAmount(text, shop.plan.digits);
  const { body: order } = await shop.own.admin.get(`/orders/${sale.number}`);
  for (const [name, expected] of Object.entries(sale.totals))
    differences.expect(name, read(order[name]), expected);
  differences.expect('payment_total', read(order.payment_total), sale.paid);
  differences.expect('payment_state', order.payment_state, sale.paymentState);
  differences.expect('state is canceled', order.state === 'canceled', sale.isCanceled);
  differences.expect('total_quantity', order.total_quantity, sale.units);
  const pending = addBy(
    order.payments.filter((one: any) => one.state === 'pending'),
    (one: any) => read(one.amount),
  );
  differences.expect('pending payments', pending, sale.pending);
  differences.expect('line items', order.line_items.length, sale.lines.length);
  for (const line of sale.lines) {
    const shown = order.line_items.find(({ id }: any) => id === line.id);
    const cost = sale.cost(line);
    const what = `line item ${line.id}`;
    differences.expect(`${what} quantity`, shown?.quantity, line.quantity);
    differences.expect(`${what} price`, read(shown?.price), line.price);
    differences.expect(`${what} total`, read(shown?.total), cost.total);
    differences.expect(`${what} taxes`, listTaxes(shown, read), listAmounts(cost, line.charge.isRelieved));
  }
  const parcels = { adjustments: order.shipments.flatMap(({ adjustments }: any) => adjustments) };
  const cost = sale.freightCost;
  differences.expect(
    'freight taxes',
    listTaxes(parcels, read),
    listAmounts(cost, sale.freight.charge.isRelieved),
  );
  differences.expect(
    'freight',
    addBy(order.shipments, (one: any) => read(one.cost)),
    sale.freight.cost,
  );
  differences.list.push(...(await auditDocuments({ shop, story } as Play, sale)));
  return differences.list.map((difference) => `${sale.number}: ${difference}`);
}

const listTaxes = (shown: any, read: (text: unknown) => bigint): string[] =>
  (shown?.adjustments ?? [])
    .filter((one: any) => one.source_type === 'Store::TaxRate' && one.eligible)
    .map((one: any) => read(one.amount))
    .filter((amount: bigint) => amount !== 0n)
    .map(String)
    .sort();

const listAmounts = (
  { taxes, additional }: { taxes: bigint[]; additional: bigint },
  isRelieved: boolean,
): string[] =>
  (isRelieved ? [additional] : taxes)
    .filter((amount) => amount !== 0n)
    .map(String)
    .sort();

interface PrintedRate {
  rate: string | null;
  reason: string | null;
  net: string;
  tax: string;
  total: string;
}

interface PrintedEntry {
  kind: string;
  net: string;
  taxes: { source: number; amount: string }[];
  total: string;
  reason: string | null;
}

interface PrintedDocument {
  kind: 'invoice' | 'correction' | 'credit_note';
  total: string;
  /** Without rates for an invoice that was made elsewhere, before the sale was moved in. */
  snapshot: { rates?: PrintedRate[]; net_total: string; tax_total: string; total: string };
  entries: PrintedEntry[];
}

/** What the documents of an order print, added up; refunds apart. They are what the PDFs are rendered from. */
async function auditDocuments({ shop }: Play, sale: Sale): Promise<string[]> {
  const differences = new Differences();
  const read = (text: unknown): bigint => readAmount(text, shop.plan.digits);
  const documents: PrintedDocument[] = await shop.own
    .db('documents')
    .where({ order_id: sale.id })
    .orderBy('id')
    .select('kind', 'total', 'snapshot', 'entries');
  const { body } = await shop.own.admin.get(`/orders/${sale.number}/documents`);
  differences.expect(
    'documents in the reply',
    body.documents.map((one: any) => [one.kind, read(one.total)].map(asText)),
    documents.map((one) => [one.kind, read(one.total)].map(asText)),
  );
  const printed = new Turnover();
  const refunds = new Turnover();
  const bookEntry = (turnover: Turnover, { taxes, net, reason }: PrintedEntry): void => {
    const ids = taxes.map(({ source }) => source).sort();
    const key = ids.length === 0 ? (reason ?? 'none') : ids.join('+');
    turnover.book(
      key,
      read(net),
      addBy(taxes, ({ amount }) => read(amount)),
    );
  };
  for (const { kind, total, snapshot, entries } of documents) {
    if (snapshot.rates === undefined) {
      for (const entry of entries) bookEntry(printed, entry);
      continue;
    }
    const sign = kind === 'credit_note' ? -1n : 1n;
    const keys = keysOfRates(shop);
    for (const { rate, reason, net, tax } of snapshot.rates) {
      const key = rate === null ? (reason ?? 'none') : (keys.get(rate) ?? 'unknown');
      const isFirst = rate === null || keys.get(`first ${rate}`) !== undefined;
      printed.book(key, isFirst ? sign * read(net) : 0n, sign * read(tax));
    }
    const printedTax = addBy(snapshot.rates, ({ tax }) => read(tax));
    differences.expect('printed tax', read(snapshot.tax_total), printedTax);
    differences.expect('printed net and tax', read(snapshot.net_total) + printedTax, read(total));
    differences.expect('printed total', read(snapshot.total), read(total));
    if (shop.plan.rounding === 'document') differences.list.push(...auditRounding(snapshot.rates, read));
  }
  // Changes that cancel out at each rate have no document.
  const offsets: { entries: PrintedEntry[] }[] = await shop.own
    .db('document_offsets')
    .where({ order_id: sale.id })
    .select('entries');
  for (const entry of [...documents, ...offsets].flatMap(({ entries }) => entries)) {
    if (entry.kind === 'refund') bookEntry(refunds, entry);
  }
  differences.expect('refunds in documents', refunds.total, -sale.refunded);
  const expected = new Turnover();
  expected.add(sale.turnover);
  expected.add(refunds);
  if (shop.plan.rounding === 'line') differences.expect('documents', printed.list(), expected.list());
  else {
    const totals = (turnover: Turnover): string[] =>
      [...turnover.buckets]
        .map(([key, { net, tax }]) => `${key}: ${net + tax}`)
        .filter((text) => !text.endsWith(': 0'))
        .sort();
    differences.expect('documents', totals(printed), totals(expected));
  }
  return differences.list;
}

/** Taxes are rounded once for each rate of a document. */
function auditRounding(rates: readonly PrintedRate[], read: (text: unknown) => bigint): string[] {
  return rates.flatMap(({ rate, total, tax }) => {
    if (rate === null) return [];
    const { above, below } = readRate(rate);
    const due = take(read(total), { above, below: below + above });
    return due === read(tax) ? [] : [`tax of ${total} at ${rate}: ${tax} instead of ${due}`];
  });
}

/** The keys of the books by the rate that a document prints; `first ...` is the rate that the net amount is counted at. */
function keysOfRates({ wares }: Play['shop']): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { charge } of wares) {
    const key = charge.rates.map(({ id }) => id).join('+');
    charge.rates.forEach(({ rate: { above, below } }, at) => {
      const text = String(Number(above) / Number(below));
      keys.set(text, key);
      if (at === 0) keys.set(`first ${text}`, key);
    });
  }
  return keys;
}

/** Compares the reports with the books of all sales. */
export async function auditReports(play: Play): Promise<string[]> {
  const { shop, sales, refunds } = play;
  const differences = new Differences();
  const read = (text: unknown): bigint => readAmount(text, shop.plan.digits);
  const get = async (path: string): Promise<any> => {
    const { status, text, body } = await shop.own.admin.get(`/reports/${path}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body;
  };
  const kept = sales.filter(({ isCanceled }) => !isCanceled);
  const turnover = new Turnover();
  for (const sale of sales) turnover.add(sale.turnover);
  const refunded = addBy(sales, (sale) => sale.refunded);

  const readTaxes = async (query: string): Promise<Turnover> => {
    const report = await get(`taxes?${query}`);
    const found = new Turnover();
    const keys = new Map(
      shop.wares.flatMap(({ charge }) =>
        charge.rates.map(({ id }) => [id, charge.rates.map((one) => one.id)] as const),
      ),
    );
    for (const { group, rate, reason, base, tax } of report.rows) {
      const ids = rate === null ? null : keys.get(Number(group));
      const isFirst = ids === null || ids?.[0] === Number(group);
      found.book(
        ids === null ? (reason ?? 'none') : (ids?.join('+') ?? 'unknown'),
        isFirst ? read(base) : 0n,
        read(tax),
      );
    }
    differences.expect(
      `totals of taxes ${query}`,
      read(report.totals.base) + read(report.totals.tax),
      found.total,
    );
    return found;
  };
  const taxes = await readTaxes('group_by=rate');
  differences.expect('taxes', taxes.list(), turnover.list());
  const booked = await readTaxes('group_by=rate&basis=booked');
  differences.expect('booked taxes', booked.total, turnover.total - refunded);

  const totals = {
    orders: kept.length,
    units: kept.reduce((all, { units }) => all + units, 0),
    item_total: addBy(kept, (sale) => sale.totals.item_total),
    discount_total: addBy(kept, (sale) => sale.promoTotal),
    ship_total: addBy(kept, (sale) => sale.totals.ship_total),
    tax_total: addBy(kept, (sale) => sale.totals.tax_total),
    total: addBy(kept, (sale) => sale.totals.total),
  };
  for (const query of ['day', 'month', 'country', 'day&basis=booked'].map((one) => `group_by=${one}`)) {
    const report = await get(`sales?${query}`);
    const isBooked = query.endsWith('booked');
    for (const [name, expected] of Object.entries(totals)) {
      const given = typeof expected === 'number' ? report.totals[name] : read(report.totals[name]);
      if (isBooked && (name === 'total' || name === 'tax_total')) continue;
      differences.expect(`sales ${query} ${name}`, given, expected);
    }
    const rows = addBy(report.rows, (row: any) => read(row.total));
    differences.expect(`rows of sales ${query}`, rows, isBooked ? turnover.total - refunded : totals.total);
  }

  const products = await get('products');
  for (const { product_id } of shop.wares) {
    const lines = kept.flatMap((sale) =>
      sale.lines.filter((line) => line.product_id === product_id).map((line) => ({ sale, line })),
    );
    const credited = kept.flatMap(({ returns }) =>
      returns.flatMap(({ parts }) => parts.filter(({ line }) => line?.product_id === product_id)),
    );
    const row = products.rows.find((one: any) => one.product_id === product_id);
    differences.expect(
      `product ${product_id}`,
      [row?.units ?? 0, row?.returned ?? 0, asText(read(row?.total ?? '0'))],
      [
        lines.reduce((all, { line }) => all + line.quantity, 0),
        lines.flatMap(({ line }) => line.returned).reduce((all, one) => all + one.quantity, 0),
        asText(
          addBy(lines, ({ sale, line }) => sale.cost(line).total) - addBy(credited, ({ amount }) => amount),
        ),
      ],
    );
  }
  const given = await get('refunds?group_by=reason');
  differences.expect(
    'refunds',
    [given.totals.count, asText(read(given.totals.total))],
    [refunds.length, asText(add(refunds))],
  );
  return differences.list;
}
