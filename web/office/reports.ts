import { unwrap } from 'store-api-client';
import { store } from './office';

/**
 * The reports of the API: what each is called, how it can be grouped, which of its amounts the plot shows, whether changes can count
 * by their own date, and what to know of it.
 */
export const REPORTS = {
  sales: {
    title: 'Sales',
    note: 'The total also has the credits of returns, and what staff has added or taken off by hand. Tax that is included in prices is part of the items.',
    groups: ['day', 'week', 'month', 'product', 'variant', 'country'],
    amount: 'total',
    isBooked: true,
  },
  products: { title: 'Products', groups: [], amount: 'total', isBooked: true },
  taxes: { title: 'Taxes', groups: ['month', 'day', 'rate'], amount: 'tax', isBooked: true },
  payments: { title: 'Payments', groups: ['day', 'month', 'gateway'], amount: 'net' },
  refunds: { title: 'Refunds', groups: ['day', 'month', 'reason'], amount: 'total' },
  stock_value: { title: 'Value of the stock', groups: ['location', 'product'], amount: 'value' },
} as const satisfies Readonly<
  Record<string, { title: string; groups: readonly string[]; amount: string; note?: string; isBooked?: true }>
>;

/** What the rows without a group are called. */
export const UNGROUPED: Readonly<Record<ReportName, string>> = {
  sales: 'None',
  products: 'None',
  taxes: 'Without tax',
  payments: 'None',
  refunds: 'Without a reason',
  stock_value: 'None',
};

/** The columns of reports in words. */
const COLUMNS: Readonly<Record<string, string>> = {
  item_total: 'Items',
  discount_total: 'Discounts',
  ship_total: 'Delivery',
  tax_total: 'Tax',
  tax: 'Amount of tax',
  base: 'Turnover without tax',
  sku: 'SKU',
  count: 'Refunds',
};

/** Returns a word of the API with a capital, such as a group. */
export const capitalize = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export const nameColumn = (name: string): string => COLUMNS[name] ?? capitalize(name);

export type ReportName = keyof typeof REPORTS;

export const isReport = (text: string): text is ReportName => Object.hasOwn(REPORTS, text);

/** A row of any report. */
export type ReportRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A report of any kind. */
export interface Report {
  rows: readonly ReportRow[];
  totals: ReportRow;
  currency: string;
}

const READERS: Readonly<Record<ReportName, (query: object) => Promise<Report>>> = {
  sales: (query) => unwrap(store.GET('/api/v1/reports/sales', { params: { query } })),
  products: (query) => unwrap(store.GET('/api/v1/reports/products', { params: { query } })),
  taxes: (query) => unwrap(store.GET('/api/v1/reports/taxes', { params: { query } })),
  payments: (query) => unwrap(store.GET('/api/v1/reports/payments', { params: { query } })),
  refunds: (query) => unwrap(store.GET('/api/v1/reports/refunds', { params: { query } })),
  stock_value: (query) => unwrap(store.GET('/api/v1/reports/stock_value', { params: { query } })),
};

/** Reads a report; the query has its period and its group. */
export const readReport = (name: ReportName, query: Readonly<Record<string, string>>): Promise<Report> =>
  READERS[name](query);
