import { DOCUMENT_LABELS } from '../accounts/stores/document-labels';
import { buildStoreUrl, type Sender } from '../accounts/stores/sender';
import { compareDecimals } from '../platform/money';
import { createFormats, type DocumentFormats } from '../sales/documents/document-formats';
import { listAddressLines } from '../sales/documents/document-parties';
import type { SlipSettings } from '../sales/documents/packing-slips.repository';
import { readPromotionName } from '../sales/pricing/order-promotions';
import { readRefundedTax } from '../sales/pricing/tax-rules';
import type { MailItem, MailOrder } from './mail-data.repository';
import { MAIL_LABELS } from './mail-labels';

interface ItemView {
  name: string;
  options: string;
  quantity: number;
  amount: string;
}

/** What templates of mails can show. Amounts and dates are formatted. */
export interface MailView {
  [name: string]: unknown;
  locale: string;
  store: { name: string; url: string; host: string; email: string };
  labels: Readonly<Record<string, string>>;
  /** Mails that are requested know its number only. */
  order?: { number: string; email?: string; total?: string; completed_on?: string; ship_address?: string[] };
  items?: ItemView[];
  /** Whether the items have amounts. */
  prices?: boolean;
  totals?: { label: string; amount: string }[];
  shipment?: { tracking: string | null; tracking_url: string | null };
  refund?: { amount: string; reason: string | null };
  return?: { number: string };
  link?: string;
  has_invoice?: boolean;
}

/** The store as sender, with its language and formats. */
export interface MailStore {
  sender: Sender;
  settings: SlipSettings;
  labels: MailView['labels'];
}

/** Builds the labels of mails: those of documents, which the store may change, and their own. */
export function buildLabels({ locale, texts }: SlipSettings): MailView['labels'] {
  return { ...DOCUMENT_LABELS[locale], ...texts, ...MAIL_LABELS[locale] };
}

/** Builds what every mail shows. */
export function buildStoreView({ sender, settings, labels }: MailStore): MailView {
  const url = buildStoreUrl(sender, '');
  return {
    locale: settings.locale,
    store: { name: sender.name, url, host: new URL(url).host, email: sender.mail_from_address },
    labels,
  };
}

/** Builds what mails about an order show, with the prices of its lines. */
export function buildOrderView(store: MailStore, order: MailOrder): MailView {
  const view = buildStoreView(store);
  const formats = createFormats(store.settings, order.currency);
  const { labels } = view;
  const shipping = { label: labels['shipping'] ?? '', amount: formats.money(order.ship_total) };
  return {
    ...view,
    order: {
      number: order.number,
      email: order.email ?? '',
      total: formats.money(order.total),
      completed_on: order.completed_at === null ? '' : formats.date(order.completed_at),
      ship_address: listAddressLines(order.ship_address, formats),
    },
    items: order.items.map((item) => buildItem(item, formats)),
    prices: true,
    totals: [
      { label: labels['items_total'] ?? '', amount: formats.money(order.item_total) },
      ...(compareDecimals(order.ship_total, '0') === 0 ? [] : [shipping]),
      ...order.adjustments.map(({ label, amount }) => ({
        label: translateLabel(label, labels),
        amount: formats.money(amount),
      })),
      { label: labels['total'] ?? '', amount: formats.money(order.total) },
    ],
  };
}

/**
 * Translates the label of a discount or a refunded tax, which is stored in English, into the language of the mail. A rate that the name of
 * the tax already contains is not repeated.
 */
function translateLabel(label: string, labels: MailView['labels']): string {
  const promotion = readPromotionName(label);
  if (promotion !== null) return `${labels['discount'] ?? ''} (${promotion})`;
  const refunded = readRefundedTax(label);
  return refunded?.replace(/(?<=[%％].*) [\d.]+%$/s, '') ?? label;
}

/** Replaces the items of an order by some that have no prices. */
export function withItems(view: MailView, items: readonly MailItem[]): MailView {
  return { ...view, items: items.map((item) => buildItem(item, null)), prices: false, totals: [] };
}

function buildItem({ name, options, quantity, amount }: MailItem, formats: DocumentFormats | null): ItemView {
  return {
    name,
    options: options ?? '',
    quantity,
    amount: formats === null || amount === null ? '' : formats.money(amount),
  };
}
