import { createApiRouter, type ApiRouter } from '../../access/api-router';
import type { Area } from '../../access/scopes';
import { endpoint } from '../../platform/http/endpoint';
import type { Ctx } from '../context';
import { EXPORT_NAMES, EXPORTS, type ExportName } from './export-sources';
import { exportCsv } from './exports.service';

const SUMMARIES: Readonly<Record<ExportName, string>> = {
  products: 'Export products as CSV, one row for each variant',
  stock: 'Export the counts of stock items as CSV',
  prices: 'Export prices and cost prices as CSV',
  customers: 'Export customers and their saved addresses as CSV',
  orders: 'Export orders as CSV',
  line_items: 'Export the line items of orders as CSV',
  movements: 'Export stock movements as CSV',
  payments: 'Export payments as CSV',
};

const AREAS_OF_EXPORTS: Readonly<Record<ExportName, Area>> = {
  products: 'catalog',
  prices: 'catalog',
  stock: 'stock',
  movements: 'stock',
  customers: 'customers',
  orders: 'orders',
  line_items: 'orders',
  payments: 'payments',
};

const IMPORTABLE: readonly ExportName[] = ['products', 'stock', 'prices', 'customers'];

const FORM =
  "Filtered by `q`, ordered by id; pages and sorting are ignored. Text that a spreadsheet would run as a formula begins with `'`.";

const listCodes = (names: readonly string[], separator: string): string =>
  names.map((name) => `\`${name}\``).join(separator);

/** Builds the router of exports. */
export function exportsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Exports', 'catalog');
  for (const name of EXPORT_NAMES) {
    const again = IMPORTABLE.includes(name) ? ' Can be imported again (POST /imports).' : '';
    const { personal } = EXPORTS[name];
    const hidden =
      personal === undefined
        ? ''
        : ` ${listCodes(personal.columns, ', ')} is empty for those without ${listCodes(personal.scopes, ' or ')}.`;
    endpoint(router, `get /exports/${name}.csv`, {
      access: 'admin',
      scope: `${AREAS_OF_EXPORTS[name]}:read`,
      summary: SUMMARIES[name],
      description: `${FORM}${again}${hidden}`,
      search: EXPORTS[name].search,
      file: 'text/csv; charset=utf-8',
      isStreamed: true,
      private: true,
      handle: (ctx, { list }) =>
        Promise.resolve({ name: `${name}.csv`, content: exportCsv(ctx, name, list) }),
    });
  }
  return router;
}
