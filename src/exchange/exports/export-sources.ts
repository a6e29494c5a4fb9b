import type { Knex } from 'knex';
import type { Scope } from '../../access/scopes';
import { ADDRESS_CELLS, buildAddressCells } from '../../accounts/users/customer-rows';
import { findCustomers } from '../../accounts/users/customer-rows.repository';
import { userSearch } from '../../accounts/users/users.search';
import { productSearch } from '../../catalog/product-queries/products.search';
import { TEXT_COLUMNS, TIME_COLUMNS } from '../../catalog/products/file-columns';
import { loadProductRecords } from '../../catalog/products/product-rows.repository';
import { loadAddresses } from '../../geography/addresses/addresses.repository';
import { stockItemSearch } from '../../inventory/stock-items/stock-items.search';
import { stockMovementSearch } from '../../inventory/stock-movements/stock-movements.search';
import type { Columns } from '../../platform/csv/write-csv';
import type { Db } from '../../platform/database/knex';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { orderSearch } from '../../sales/order/orders.search';
import { paymentSearch } from '../../sales/payment-processing/payments.search';
import { formatOptions, formatTaxons } from '../../catalog/products/list-cells';
import { loadRowsOf, type ExportRow } from './export-rows.repository';
import { lineItemSearch, priceSearch } from './exports.search';

export const EXPORT_NAMES = [
  ...(['products', 'stock', 'prices', 'customers'] as const),
  ...(['orders', 'line_items', 'movements', 'payments'] as const),
];
export type ExportName = (typeof EXPORT_NAMES)[number];

/** What an export consists of. */
export interface ExportSource {
  columns: Columns;
  /** Columns of personal data, which are empty for those without one of these scopes. */
  personal?: { columns: readonly string[]; scopes: readonly Scope[] };
  /** What `q` may name; the records of its table are exported by id. */
  search: SearchDefinition;
  /** Leaves out records, such as deleted ones. */
  restrict?: (query: Knex.QueryBuilder) => Knex.QueryBuilder;
  /** Loads the rows of records, by id. */
  load: (db: Db, ids: readonly number[]) => Promise<ExportRow[]>;
}

const isPresent = (table: string) => (rows: Knex.QueryBuilder) => rows.whereNull(`${table}.deleted_at`);

const addressColumns = (kind: 'bill' | 'ship'): Columns =>
  Object.fromEntries(ADDRESS_CELLS.map((name) => [`${kind}_${name}`, 'text' as const]));

/** The other columns of products. Those that a list names already keep their place in it. */
const FILE_CELLS: Columns = {
  ...Object.fromEntries(TIME_COLUMNS.map((name) => [name, 'time' as const])),
  ...Object.fromEntries(TEXT_COLUMNS.map((name) => [name, 'text' as const])),
};

/** What people know a variant by that has no SKU. */
const VARIANT_CELLS: Columns = { name: 'text', options: 'text' };

export const EXPORTS: Readonly<Record<ExportName, ExportSource>> = {
  products: {
    columns: {
      slug: 'text',
      name: 'text',
      description: 'text',
      sku: 'text',
      barcode: 'text',
      price: 'decimal',
      available_on: 'time',
      taxons: 'text',
      options: 'text',
      is_master: 'boolean',
      shipping_category: 'text',
      tax_category: 'text',
      cost_price: 'decimal',
      weight: 'decimal',
      height: 'decimal',
      width: 'decimal',
      depth: 'decimal',
      track_inventory: 'boolean',
      ...FILE_CELLS,
      product_id: 'number',
      variant_id: 'number',
    },
    search: productSearch,
    restrict: isPresent('products'),
    load: async (db, ids) =>
      (await loadProductRecords(db, ids)).map((record) => ({
        ...record,
        taxons: formatTaxons(record.taxons),
        options: formatOptions(record.options),
      })),
  },
  stock: {
    columns: {
      sku: 'text',
      stock_location: 'text',
      count_on_hand: 'number',
      backorderable: 'boolean',
      ...VARIANT_CELLS,
      variant_id: 'number',
      stock_location_id: 'number',
    },
    search: stockItemSearch,
    restrict: isPresent('stock_items'),
    load: loadRowsOf('stock'),
  },
  prices: {
    columns: {
      sku: 'text',
      price: 'decimal',
      cost_price: 'decimal',
      currency: 'text',
      ...VARIANT_CELLS,
      variant_id: 'number',
    },
    search: priceSearch,
    restrict: isPresent('prices'),
    load: loadRowsOf('prices'),
  },
  customers: {
    columns: { email: 'text', vat_id: 'text', ...addressColumns('bill'), ...addressColumns('ship') },
    search: userSearch,
    async load(db, ids) {
      const users = await findCustomers(db, ids);
      const addresses = await loadAddresses(
        db,
        users.flatMap((user) => [user.bill_address_id, user.ship_address_id]),
      );
      return users.map((user) => ({
        email: user.email,
        vat_id: user.vat_id ?? '',
        ...buildAddressCells('bill', addresses.get(user.bill_address_id ?? 0)),
        ...buildAddressCells('ship', addresses.get(user.ship_address_id ?? 0)),
      }));
    },
  },
  orders: {
    columns: {
      number: 'text',
      email: 'text',
      state: 'text',
      payment_state: 'text',
      shipment_state: 'text',
      currency: 'text',
      item_total: 'decimal',
      ship_total: 'decimal',
      adjustment_total: 'decimal',
      promo_total: 'decimal',
      included_tax_total: 'decimal',
      additional_tax_total: 'decimal',
      total: 'decimal',
      payment_total: 'decimal',
      total_quantity: 'number',
      channel: 'text',
      completed_at: 'time',
      canceled_at: 'time',
      created_at: 'time',
      updated_at: 'time',
      id: 'number',
    },
    search: orderSearch,
    load: loadRowsOf('orders'),
  },
  line_items: {
    columns: {
      order: 'text',
      sku: 'text',
      name: 'text',
      quantity: 'number',
      price: 'decimal',
      currency: 'text',
      adjustment_total: 'decimal',
      promo_total: 'decimal',
      included_tax_total: 'decimal',
      additional_tax_total: 'decimal',
      order_completed_at: 'time',
      options: 'text',
      variant_id: 'number',
      id: 'number',
    },
    search: lineItemSearch,
    load: loadRowsOf('line_items'),
  },
  movements: {
    columns: {
      id: 'number',
      sku: 'text',
      stock_location: 'text',
      quantity: 'number',
      action: 'text',
      counted: 'boolean',
      originator_type: 'text',
      originator_id: 'number',
      user: 'text',
      created_at: 'time',
      ...VARIANT_CELLS,
      stock_item_id: 'number',
    },
    // Buyers cause movements too.
    personal: { columns: ['user'], scopes: ['orders:read', 'customers:read'] },
    search: stockMovementSearch,
    load: loadRowsOf('movements'),
  },
  payments: {
    columns: {
      number: 'text',
      order: 'text',
      amount: 'decimal',
      currency: 'text',
      state: 'text',
      payment_method: 'text',
      response_code: 'text',
      refunded: 'decimal',
      created_at: 'time',
      id: 'number',
    },
    search: paymentSearch,
    load: loadRowsOf('payments'),
  },
};
