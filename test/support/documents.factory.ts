import { sumDecimals } from '../../src/platform/money';
import type {
  DocumentEntry,
  DocumentRecord,
  DocumentSnapshot,
  PrintedAddress,
  PrintedSeller,
  RateSum,
} from '../../src/sales/documents/documents.repository';

/** Documents as the triggers freeze them, for what renders them. */

export const GERMAN_SELLER: PrintedSeller = {
  name: 'Möbelhaus',
  url: 'www.moebelhaus.example',
  email: 'rechnung@moebelhaus.example',
  issuer: null,
  legal_name: 'Müller & Söhne Möbelhaus GmbH',
  address1: 'Friedrichstraße 12',
  address2: null,
  zipcode: '10117',
  city: 'Berlin',
  state: null,
  country_iso: 'DE',
  phone: '+49 30 1234567',
  tax_number: '30/123/45678',
  vat_id: 'DE123456789',
  bank: 'Berliner Volksbank',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'COBADEFFXXX',
  footer: 'Amtsgericht Charlottenburg, HRB 12345\nGeschäftsführer: Karl Müller',
};

export const AN_ADDRESS: PrintedAddress = {
  firstname: 'Erika',
  lastname: 'Mustermann',
  company: null,
  address1: 'Heidestraße 17',
  address2: null,
  zipcode: '51147',
  city: 'Köln',
  state: null,
  country: 'Germany',
  country_iso: 'DE',
};

export interface EntryWishes extends Partial<Omit<DocumentEntry, 'taxes'>> {
  rate?: string | null;
  isReduced?: boolean;
}

/** Builds an entry with included tax; without a rate it is tax-free. */
export function anEntry({ rate = '0.19', isReduced = false, ...wishes }: EntryWishes = {}): DocumentEntry {
  const { quantity = 1, net = '100.00', tax = rate === null ? '0.00' : '19.00' } = wishes;
  return {
    key: 'line:1',
    kind: 'line',
    label: 'Stuhl',
    sku: 'ST-1',
    options: null,
    discount: '0',
    relief: '0',
    price: sumDecimals(net, tax),
    reason: null,
    ...wishes,
    quantity,
    net,
    tax,
    taxes:
      rate === null
        ? []
        : [{ source: 1, rate, included: true, name: 'USt', reduced: isReduced, amount: tax }],
    total: sumDecimals(net, tax),
  };
}

/** Builds a document of these entries. Credit notes have negative ones. */
export function aDocument(
  entries: DocumentEntry[],
  wishes: Partial<Omit<DocumentRecord, 'snapshot'>> & { snapshot?: Partial<DocumentSnapshot> } = {},
): DocumentRecord {
  const { snapshot, ...record } = wishes;
  const sign =
    record.kind === 'credit_note' ? (amount: string) => negate(amount) : (amount: string) => amount;
  const rates = sumRates(entries, sign);
  const net = sumDecimals('0.00', ...entries.map((entry) => sign(entry.net)));
  const tax = sumDecimals('0.00', ...entries.map((entry) => sign(entry.tax)));
  const made = new Date('2026-11-20T10:00:00Z');
  return {
    id: 1,
    sequence: 42,
    kind: 'invoice',
    number: 'RE-2026-000042',
    total: sumDecimals(net, tax),
    currency: 'EUR',
    created_at: made,
    entries,
    snapshot: {
      version: 2,
      seller: GERMAN_SELLER,
      locale: 'de',
      texts: {},
      date_format: 'YYYY-MM-DD',
      time_zone: 'Europe/Berlin',
      einvoice: false,
      order_number: 'R123456789',
      completed_at: '2026-11-18T09:00:00Z',
      email: 'erika@example.com',
      vat_id: null,
      bill_address: AN_ADDRESS,
      ship_address: AN_ADDRESS,
      invoice: null,
      supply: { from: made.toISOString(), to: made.toISOString() },
      payments: [],
      rates,
      net_total: net,
      tax_total: tax,
      total: sumDecimals(net, tax),
      ...snapshot,
    },
    ...record,
  };
}

const negate = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

function sumRates(entries: readonly DocumentEntry[], sign: (amount: string) => string): RateSum[] {
  const sums = new Map<string, RateSum>();
  for (const { taxes, net, tax, reason } of entries) {
    const [one] = taxes;
    const key = one?.rate ?? `free ${reason ?? ''}`;
    const sum = sums.get(key) ?? {
      rate: one?.rate ?? null,
      name: one?.name ?? null,
      reason,
      reduced: one?.reduced ?? false,
      included: true,
      net: '0',
      tax: '0',
      total: '0',
    };
    const [more, taxed] = [sumDecimals(sum.net, sign(net)), sumDecimals(sum.tax, sign(tax))];
    sums.set(key, { ...sum, net: more, tax: taxed, total: sumDecimals(more, taxed) });
  }
  return [...sums.values()];
}
