import { escapeHtml } from '../../platform/escape-html';
import type { Mail } from '../../platform/mail/mailer';
import type { Sender } from '../stores/sender';

/**
 * Builds the mail that tells a former e-mail address of a user about the change. It does not contain the new address, which
 * may not concern whoever reads the former one today.
 */
export function buildEmailChangedMail(store: Sender, to: string): Mail {
  const lines = [
    `The e-mail address of your account at ${store.name} was changed. This address no longer belongs to the account.`,
    `If it was not you, write to ${store.mail_from_address} at once.`,
  ];
  return {
    from: { name: store.name, address: store.mail_from_address },
    to,
    subject: `Your e-mail address at ${store.name} was changed`,
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(''),
  };
}
