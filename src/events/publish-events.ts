import type { TransactionContext } from '../platform/database/transaction';
import { withTransaction } from '../platform/database/transaction';
import { buildEvents } from './event-data';
import { CONSUMERS } from './event-consumers';
import { hasNotes, lockPublishing, takeNotes } from './event-notes.repository';
import { insertEvents } from './log/events.repository';

const BATCH = 100;
/** What one call publishes at most; the rest follows soon. */
const MAX_BATCHES = 50;

/**
 * Publishes what transactions have noted: notes become events with increasing ids, and consumers add their jobs, in one
 * transaction. One process at a time publishes, so an event that becomes visible later has a higher id. An idle call reads one
 * row. Safe from several instances at once.
 * @param options.waits whether to wait for another process that publishes, to find its events afterwards
 */
export async function publishEvents(
  { db }: Pick<TransactionContext, 'db'>,
  { waits = false, isRunning = () => true }: { waits?: boolean; isRunning?: () => boolean } = {},
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && isRunning(); batch++) {
    if (!(await hasNotes(db))) return;
    const taken = await withTransaction({ db }, async (tx) => {
      if (!(await lockPublishing(tx, waits))) return 0;
      const notes = await takeNotes(tx, BATCH);
      const events = await insertEvents(tx, await buildEvents(tx, notes));
      if (events.length > 0) for (const consume of CONSUMERS) await consume(tx, events);
      return notes.length;
    });
    if (taken < BATCH) return;
  }
}
