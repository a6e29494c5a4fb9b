import { buildStoreUrl, type Sender } from '../../accounts/stores/sender';
import { escapeHtml } from '../../platform/escape-html';
import type { Mail } from '../../platform/mail/mailer';

/** Builds the mail with the link that shows an order. The page of the link is part of the storefront. */
export function buildOrderLinkMail(
  store: Sender,
  { number, email }: { number: string; email: string },
  token: string,
): Mail {
  const link = buildOrderLink(store, number, token);
  const lines = [
    `Someone requested the link of your order ${number} at ${store.name}.`,
    'It shows the order to everybody who has it:',
    'If it was not you, ignore this mail.',
  ] as const;
  const [first, second, last] = lines.map(escapeHtml);
  return {
    from: { name: store.name, address: store.mail_from_address },
    to: email,
    subject: `Your order ${number} at ${store.name}`,
    text: `${lines[0]}\n\n${lines[1]}\n\n${link}\n\n${lines[2]}\n`,
    html: `<p>${first}</p><p>${second}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${last}</p>`,
  };
}

/** Builds the link of an order from `order_url` of the store, by default a page of the storefront. */
export function buildOrderLink(store: Sender, number: string, token: string): string {
  const template = store.order_url ?? buildStoreUrl(store, '/orders/{number}?order_token={token}');
  return template
    .replaceAll('{number}', () => encodeURIComponent(number))
    .replaceAll('{token}', () => encodeURIComponent(token));
}
