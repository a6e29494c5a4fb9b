import { LRUCache } from 'lru-cache';
import { DOCUMENT_LABELS, type DocumentLabel } from '../../accounts/stores/document-labels';
import { formatDate } from '../../platform/calendar';
import { formatPercent } from '../../platform/money';
import type { DocumentSnapshot, PrintedAddress } from './documents.repository';

/** How a document shows texts, amounts, dates, rates and countries: as usual in its language and the country of the seller. */
export interface DocumentFormats {
  label: (name: DocumentLabel, values?: Record<string, string>) => string;
  money: (amount: string) => string;
  date: (time: Date | string) => string;
  percent: (rate: string) => string;
  country: (address: PrintedAddress) => string;
  sellerCountry: string | null;
  /** The paper that is usual in the country of the seller. */
  paper: 'A4' | 'LETTER';
  isJapanese: boolean;
}

/** Where paper has the size Letter, by CLDR. `Intl` does not tell. */
const LETTER_COUNTRIES = new Set([
  ...['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE'],
]);

/**
 * The names of Japanese documents of a seller without a registration number, who must not issue documents that could be taken for
 * qualified invoices (Consumption Tax Act, article 57-5).
 */
const UNREGISTERED_NAMES: Readonly<Partial<Record<DocumentLabel, string>>> = {
  invoice: '請求書',
  credit_note: '返金明細書',
};

/** Whether a seller is registered for the consumption tax of Japan. Registration numbers are a T and 13 digits. */
const isRegisteredInJapan = (seller: DocumentSnapshot['seller']): boolean =>
  /^T\d{13}$/i.test((seller?.vat_id ?? '').normalize('NFKC').replace(/[\s-]/g, ''));

type FormatSettings = Pick<DocumentSnapshot, 'locale' | 'texts' | 'date_format' | 'time_zone' | 'seller'>;

/** Builds the formats of a document in a currency. Formats are those of CLDR; `date_format` of the store replaces that of dates. */
export function createFormats(settings: FormatSettings, currency: string): DocumentFormats {
  const { texts, seller, time_zone: timeZone, date_format } = settings;
  const { money, dates, numbers, regions } = findFormatters(settings, currency);
  const home = seller?.country_iso ?? null;
  const isUnregistered = settings.locale === 'ja' && !isRegisteredInJapan(seller);
  return {
    label: (name, values = {}) => {
      const own = isUnregistered ? UNREGISTERED_NAMES[name] : undefined;
      const text = texts[name] ?? own ?? DOCUMENT_LABELS[settings.locale][name];
      return text.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);
    },
    // Intl formats decimal strings exactly; the types know numbers only.
    money: (amount) => money.format(amount as Intl.StringNumericLiteral),
    date: (time) =>
      date_format === 'YYYY-MM-DD'
        ? dates.format(new Date(time))
        : formatDate(new Date(time), { format: date_format, timeZone }),
    percent: (rate) => {
      const percent = formatPercent(rate) as Intl.StringNumericLiteral; // as for amounts
      return settings.locale === 'en' ||
        settings.locale === 'ja' ||
        settings.locale === 'it' ||
        settings.locale === 'nl'
        ? `${numbers.format(percent)}%`
        : `${numbers.format(percent)} %`;
    },
    country: ({ country, country_iso }) =>
      country_iso === undefined ? country : (regions.of(country_iso) ?? country),
    isJapanese: settings.locale === 'ja',
    paper: home !== null && LETTER_COUNTRIES.has(home) ? 'LETTER' : 'A4',
    sellerCountry: home === null ? null : (regions.of(home) ?? home),
  };
}

interface Formatters {
  money: Intl.NumberFormat;
  dates: Intl.DateTimeFormat;
  numbers: Intl.NumberFormat;
  regions: Intl.DisplayNames;
}

/** Creating formatters takes longer than rendering a mail. */
const formatters = new LRUCache<string, Formatters>({ max: 100 });

function findFormatters(settings: FormatSettings, currency: string): Formatters {
  const { time_zone: timeZone, seller } = settings;
  const key = [settings.locale, seller?.country_iso, currency, timeZone].join(' ');
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const locale = findLocale(settings);
  const created = {
    money: new Intl.NumberFormat(locale, { style: 'currency', currency }),
    dates: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }),
    numbers: new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }),
    regions: new Intl.DisplayNames(locale, { type: 'region' }),
  };
  formatters.set(key, created);
  return created;
}

/** The language of the document as it is used in the country of the seller, such as `de-AT`. */
function findLocale({ locale, seller }: Pick<DocumentSnapshot, 'locale' | 'seller'>): string {
  const country = seller?.country_iso ?? null;
  const regional = country === null ? locale : `${locale}-${country}`;
  return Intl.NumberFormat.supportedLocalesOf(regional)[0] ?? locale;
}
