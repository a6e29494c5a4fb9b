import type { Tx } from '../database/transaction';

/** An event: something that has happened to a record. */
export interface PublishedEvent {
  /** Increases in the order of publication. */
  id: number;
  type: string;
  created_at: Date;
  subject_type: string;
  subject_id: number;
  subject_number: string | null;
  order_id: number | null;
  /** The record as an administrator saw it then. */
  data: Record<string, unknown>;
}

/**
 * Follows events: adds jobs for them, in the transaction that publishes them. It is called exactly once for each event, so each job
 * is added exactly once. SQL must be its only effect, and it must be quick: no event is published meanwhile.
 */
export type EventConsumer = (tx: Tx, events: readonly PublishedEvent[]) => Promise<void> | void;
