import { boolean } from '../../platform/resource/columns';

/** The settings of a store about its mails. */
export const mailSettings = {
  mail_order_confirmed: {
    type: boolean(),
    default: true,
    description: 'Whether customers get a mail when their order is complete.',
  },
  mail_shipped: {
    type: boolean(),
    default: true,
    description: 'Whether customers get a mail with the tracking link when a parcel ships.',
  },
  mail_canceled: {
    type: boolean(),
    default: true,
    description: 'Whether customers get a mail when their order is canceled.',
  },
  mail_refunded: {
    type: boolean(),
    default: true,
    description: 'Whether customers get a mail about each refund.',
  },
  mail_return_received: {
    type: boolean(),
    default: true,
    description: 'Whether customers get a mail when their return has arrived.',
  },
  mail_invoice: {
    type: boolean(),
    default: false,
    description: 'Whether the invoice is attached to the mail of a complete order.',
  },
} as const;
