import type { Mail } from '../../platform/mail/mailer';
import { escapeHtml } from '../../platform/escape-html';
import { buildStoreUrl, type Sender } from '../stores/sender';

/** Builds the mail with the link that sets a new password. The page of the link is part of the storefront. */
export function buildResetMail(store: Sender, to: string, token: string): Mail {
  const link = buildStoreUrl(store, `/password?token=${token}`);
  const lines = [
    `Someone requested a new password for your account at ${store.name}.`,
    'The link is valid for one hour and can be used once:',
    'If it was not you, ignore this mail. Your password stays the same.',
  ] as const;
  const [first, second, last] = lines.map(escapeHtml);
  return {
    from: { name: store.name, address: store.mail_from_address },
    to,
    subject: `Your new password for ${store.name}`,
    text: `${lines[0]}\n\n${lines[1]}\n\n${link}\n\n${lines[2]}\n`,
    html: `<p>${first}</p><p>${second}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${last}</p>`,
  };
}
