import type { PublishedEvent } from '../../platform/queue/event-consumer';
import type { EventJson } from './event.schema';

/** Serializes an event. */
export function serializeEvent(event: PublishedEvent): EventJson {
  const { id, type, created_at, subject_type, subject_id, subject_number, data } = event;
  return {
    id,
    // Only the functions and triggers that note events write types and subjects.
    type: type as EventJson['type'],
    created_at: created_at.toISOString(),
    subject: { type: subject_type as EventJson['subject']['type'], id: subject_id, number: subject_number },
    data,
  };
}
