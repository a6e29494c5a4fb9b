import type { Ctx } from '../access/context';
import { READ_ONLY_STATE } from '../platform/database/pg-errors';
import { readErrorCode } from '../platform/error-code';
import { findEventsAfter, type EventsAfter, type EventsPart } from './log/events.repository';
import { publishEvents } from './publish-events';

/** Returns the events after an id. What was committed before the request is among them. */
export async function listEvents(ctx: Pick<Ctx, 'db'>, wanted: EventsAfter): Promise<EventsPart> {
  await publishEvents(ctx, { waits: true }).catch((error: unknown) => {
    // A database that may not be written has what others publish.
    if (readErrorCode(error) !== READ_ONLY_STATE) throw error;
  });
  return findEventsAfter(ctx.db, wanted);
}
