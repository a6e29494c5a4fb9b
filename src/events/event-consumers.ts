import { mailEvents } from '../mails/mail-events';
import type { EventConsumer } from '../platform/queue/event-consumer';
import { insertDeliveries } from './webhooks/webhook-deliveries.repository';

/** What follows from events, in the order in which it is called. */
export const CONSUMERS: readonly EventConsumer[] = [mailEvents, insertDeliveries];
