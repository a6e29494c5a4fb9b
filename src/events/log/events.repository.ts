import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { PublishedEvent } from '../../platform/queue/event-consumer';

/** An event before its publication. */
export type NewEvent = Omit<PublishedEvent, 'id'>;

type EventRow = Omit<PublishedEvent, 'id'> & { id: string };

/** Stores events in their order. The caller must be the only one that publishes. @returns them with their ids */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<PublishedEvent[]> {
  if (events.length === 0) return [];
  const days = new Set(events.map(({ created_at }) => created_at.toISOString().slice(0, 10)));
  for (const day of days) await tx.raw('SELECT prepare_events_of(?::date)', [day]);
  const { rows } = await tx.raw<{ rows: { id: string }[] }>(
    "SELECT nextval('event_ids')::text AS id FROM generate_series(1, ?)",
    [events.length],
  );
  const published = events.map((event, index) => ({ ...event, id: Number(rows[index]?.id) }));
  await tx.raw(
    `INSERT INTO events (id, created_at, type, subject_type, subject_id, subject_number, order_id, data)
     SELECT id, created_at, type, subject_type, subject_id, subject_number, order_id, data
       FROM json_to_recordset(?::json) AS event (id bigint, created_at timestamptz, type text, subject_type text,
              subject_id integer, subject_number text, order_id integer, data json)`,
    [JSON.stringify(published)],
  );
  return published;
}

/** Which events a reader wants. */
export interface EventsAfter {
  after: number;
  /** Null for all. */
  types: readonly string[] | null;
  size: number;
}

/** A part of the events, by id. */
export interface EventsPart {
  events: PublishedEvent[];
  /** All events up to this one have been read. */
  last_id: number;
  more: boolean;
}

/** Returns the events after an id, in order. Every event that appears later has a higher id. */
export async function findEventsAfter(db: Db, { after, types, size }: EventsAfter): Promise<EventsPart> {
  // Read before the events, so that none is passed over.
  const last = await db('events').max<{ max: string | null }[]>('id');
  const query = db<EventRow>('events')
    .where('id', '>', after)
    .orderBy('id')
    .limit(size + 1);
  if (types !== null) void query.whereIn('type', [...types]);
  const rows = await query;
  const events = rows.slice(0, size).map(parseRow);
  const more = rows.length > size;
  const end = events.at(-1)?.id ?? after;
  return { events, more, last_id: more ? end : Math.max(end, after, Number(last[0]?.max ?? 0)) };
}

/** Returns these events that still exist, by id. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<PublishedEvent[]> {
  if (ids.length === 0) return [];
  const rows = await db<EventRow>('events')
    .whereIn('id', [...ids])
    .orderBy('id');
  return rows.map(parseRow);
}

const parseRow = ({ id, ...event }: EventRow): PublishedEvent => ({ ...event, id: Number(id) });

/** Drops events that are older than the 30 days for which they are kept. @returns the number of days dropped */
export async function dropOldEvents(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { days: number }[] }>(
    'SELECT drop_events_before(current_date - 31) AS days',
  );
  return rows[0]?.days ?? 0;
}
