import { buildStoreUrl } from '../accounts/stores/sender';
import { createFormats } from '../sales/documents/document-formats';
import { buildOrderLink } from '../sales/orders/order-link';
import type { MailOrder } from './mail-data.repository';
import { isOrderMail, type MailName } from './mail-names';
import { buildOrderView, buildStoreView, withItems, type MailStore, type MailView } from './mail-view';

const NUMBER = 'R123456789';

const buildSampleOrder = (currency: string, now: Date): MailOrder => ({
  id: 0,
  number: NUMBER,
  email: 'mia@example.com',
  currency,
  token_seed: Buffer.alloc(16),
  created_at: now,
  completed_at: now,
  canceled_at: null,
  item_total: '74.97',
  ship_total: '5.00',
  total: '76.47',
  ship_address: {
    firstname: 'Mia',
    lastname: 'Meyer',
    company: null,
    address1: '7735 Old Georgetown Road',
    address2: null,
    zipcode: '20814',
    city: 'Bethesda',
    state: 'MD',
    country: 'United States',
    country_iso: 'US',
  },
  items: [
    { name: 'Canvas tote', options: 'Color: Navy, Size: L', quantity: 2, amount: '59.98' },
    { name: 'Enamel mug', options: null, quantity: 1, amount: '14.99' },
  ],
  adjustments: [
    { label: 'WELCOME10', amount: '-7.50' },
    { label: 'MD sales tax (6%)', amount: '4.00' },
  ],
});

/** Builds what a mail shows of an order that does not exist, in the currency of the store, for previews and checks of templates. */
export function buildSampleView(
  store: MailStore & { record?: { currency: string } | undefined },
  name: MailName,
  now: Date,
): MailView {
  const { sender, settings, record } = store;
  const order = buildSampleOrder(record?.currency ?? 'USD', now);
  if (!isOrderMail(name)) {
    const link =
      name === 'order_link'
        ? buildOrderLink(sender, NUMBER, 'sample')
        : buildStoreUrl(sender, '/password?token=sample');
    const view = buildStoreView(store);
    return name === 'order_link' ? { ...buildOrderView(store, order), link } : { ...view, link };
  }
  const view = buildOrderView(store, order);
  const { money } = createFormats(settings, order.currency);
  const tracking = {
    tracking: '1Z999AA10123456784',
    tracking_url: 'https://carrier.example/1Z999AA10123456784',
  };
  return {
    ...(name === 'order_confirmed' || name === 'refunded' ? view : withItems(view, order.items)),
    link: buildOrderLink(sender, NUMBER, 'sample'),
    has_invoice: false,
    shipment: tracking,
    refund: { amount: money('29.99'), reason: 'Damaged in transit' },
    return: { number: 'RA123456789' },
  };
}
