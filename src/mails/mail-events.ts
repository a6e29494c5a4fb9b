import type { Tx } from '../platform/database/transaction';
import type { PublishedEvent } from '../platform/queue/event-consumer';
import { enqueueMails, type OrderMail } from './mail-jobs';
import type { OrderMailName } from './mail-names';

/** The part of an event that mails follow from. */
type MailedEvent = Pick<PublishedEvent, 'id' | 'type' | 'created_at' | 'subject_id' | 'order_id'>;

const MAILS: Readonly<Record<string, OrderMailName>> = {
  'order.completed': 'order_confirmed',
  'order.canceled': 'canceled',
  'shipment.shipped': 'shipped',
  'payment.refunded': 'refunded',
  'return.received': 'return_received',
};

/**
 * Adds the mails that follow from events to the queue: one for each event, with an id by which receivers recognize a repeated
 * delivery. Whether it is sent is decided then, by the settings of that time.
 */
export function mailEvents(tx: Tx, events: readonly MailedEvent[]): void {
  enqueueMails(
    tx,
    events.flatMap(({ id, type, created_at, subject_id, order_id }): OrderMail[] => {
      const name = MAILS[type];
      if (name === undefined || order_id === null) return [];
      return [{ name, id: String(id), order_id, subject_id, at: created_at.toISOString() }];
    }),
  );
}
