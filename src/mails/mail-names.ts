/** The mails that customers get. */
export const MAIL_NAMES = [
  'order_confirmed',
  'shipped',
  'canceled',
  'refunded',
  'return_received',
  'order_link',
  'password_reset',
  'email_changed',
  'new_email',
] as const;

export type MailName = (typeof MAIL_NAMES)[number];

/** The settings of the store that switch mails off. The other mails are requested, or warn. */
export const MAIL_SWITCHES = {
  order_confirmed: 'mail_order_confirmed',
  shipped: 'mail_shipped',
  canceled: 'mail_canceled',
  refunded: 'mail_refunded',
  return_received: 'mail_return_received',
} as const satisfies Partial<Record<MailName, string>>;

/** The mails about orders. */
export type OrderMailName = keyof typeof MAIL_SWITCHES;

/** Returns whether the mail is about an order, and can be switched off. */
export function isOrderMail(name: MailName): name is OrderMailName {
  return name in MAIL_SWITCHES;
}
