import { unwrap } from 'store-api-client';
import { store } from './office';

/** The reports of the API: what each is called, how it can be grouped, and which of its amounts the plot shows. */
export const REPORTS = {
  sales: {
    title: 'Sales',
    groups: ['day', 'week', 'month', 'product', 'variant', 'country'],
    amount: 'total',
  },
  products: { title: 'Products', groups: [], amount: 'total' },
  taxes: { title: 'Taxes', groups: ['month', 'day', 'rate'], amount: 'tax' },
  payments: { title: 'Payments', groups: ['day', 'month', 'gateway'], amount: 'net' },
  refunds: { title: 'Refunds', groups: ['day', 'month', 'reason'], amount: 'total' },
  stock_value: { title: 'Value of the stock', groups: ['location', 'product'], amount: 'value' },
} as const satisfies Readonly<Record<string, { title: string; groups: readonly string[]; amount: string }>>;

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
