import { INVALID, type FieldErrors } from '../errors';
import { MAX_INT4 } from '../int4';
import type { Parameters } from '../parameters';
import { parseTimestamp } from '../timestamp';

/** A place in the order of a feed: after this record, or with id 0, before all records of this time. */
export interface FeedPosition {
  updated_at: Date;
  id: number;
}

/** What a page of a feed contains: the records after a position that changed before the horizon. */
export interface FeedQuery {
  after: FeedPosition;
  /** From `readFeedHorizon`. Later changes are left to the next page: changes before them may not be committed yet. */
  before: Date;
}

/** The end of a page of a feed. */
export interface FeedEnd {
  /** Where the next page begins. */
  next_cursor: string;
  /** Whether there may be more records now. */
  more: boolean;
}

/** How a list is read as a feed, if not by an index on (`updated_at`, `id`) of its table. All of it is SQL. */
export interface FeedSource {
  /** The indexed time of a record; null for one that is `unsettled`. */
  at: string;
  /** The id in the same index; defaults to that of the table. */
  id?: string;
  /** The join of the table with the index. */
  join?: string;
  /** The condition of records that are read by their `updated_at`. There must be few, because no index orders them. */
  unsettled?: string;
}

const BEGIN: FeedPosition = { updated_at: new Date(0), id: 0 };

/**
 * Parses `cursor` and `updated_since`. `cursor` may be empty, for the begin of the feed or the time of `updated_since`; a
 * cursor of a page takes precedence over the time.
 * @returns null for `start` if the request has neither, and the errors by parameter
 */
export function parseFeedStart({ cursor, updated_since: since }: Parameters): {
  start: FeedPosition | null;
  errors: FieldErrors;
} {
  const hasSince = since !== undefined && since !== null && since !== '';
  if (cursor === undefined && !hasSince) return { start: null, errors: {} };
  const time = hasSince ? parseTimestamp(since) : BEGIN.updated_at;
  const isFirst = cursor === undefined || cursor === null || cursor === '';
  const position = isFirst ? BEGIN : parseCursor(cursor);
  const errors: FieldErrors = {
    ...(position === null && { cursor: [INVALID] }),
    ...(time === null && { updated_since: [INVALID] }),
  };
  if (position === null || time === null) return { start: null, errors };
  return { start: isFirst ? { updated_at: time, id: 0 } : position, errors };
}

/** Builds the cursor of a position. Clients treat it as opaque. */
function buildCursor({ updated_at, id }: FeedPosition): string {
  return Buffer.from(`${updated_at.toISOString()} ${id}`).toString('base64url');
}

function parseCursor(raw: unknown): FeedPosition | null {
  if (typeof raw !== 'string' || !/^[\w-]{1,100}$/.test(raw)) return null;
  const [, time, id] = /^(\S+) (\d{1,10})$/.exec(Buffer.from(raw, 'base64url').toString()) ?? [];
  const updated_at = parseTimestamp(time);
  const position = { updated_at: updated_at ?? BEGIN.updated_at, id: Number(id) };
  // Only texts that `buildCursor` returns are cursors.
  const isCursor = updated_at !== null && position.id <= MAX_INT4 && buildCursor(position) === raw;
  return isCursor ? position : null;
}

/**
 * Builds the end of a page. A page that is not full has everything before the horizon, so that the next one begins there and
 * does not read the same records again.
 * @param last the last record of the page, if it is full
 */
export function buildFeedEnd({ after, before }: FeedQuery, last: FeedPosition | undefined): FeedEnd {
  if (last !== undefined) return { next_cursor: buildCursor(last), more: true };
  const isAhead = after.updated_at >= before;
  return { next_cursor: buildCursor(isAhead ? after : { updated_at: before, id: 0 }), more: false };
}
