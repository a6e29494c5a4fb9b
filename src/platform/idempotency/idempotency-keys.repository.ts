import type { Db } from '../database/knex';
import type { Tx } from '../database/transaction';

/** A key held by one request; the claim distinguishes it from other requests with the same key. */
export interface ClaimedKey {
  digest: Buffer;
  claim: string;
}

/** The stored state of a key. */
export interface KeyRow {
  fingerprint: Buffer;
  /** Null until a reply is stored: the slot that has it (`findReply`), or the encrypted reply of a version before slots. */
  reply: Buffer | null;
  /** Whether a request holds the key now. */
  is_claimed: boolean;
}

/** When a claim expires unless it is renewed, by the clock of the database, which all instances share. */
const CLAIMED_UNTIL = `clock_timestamp() + interval '4 seconds'`;

/**
 * Claims a key for a request: a new one, one created before `expiredBefore`, or one of the same request that is not
 * held and has no reply.
 * @returns the results that the request has already committed; null if the key cannot be claimed
 */
export async function claimKey(
  db: Db,
  { digest, claim }: ClaimedKey,
  { fingerprint, now, expiredBefore }: { fingerprint: Buffer; now: Date; expiredBefore: Date },
): Promise<Buffer[] | null> {
  const { rows } = await db.raw<{ rows: { results: Buffer[] }[] }>(
    `INSERT INTO idempotency_keys AS known (digest, fingerprint, claim, claimed_until, created_at)
     VALUES (:digest, :fingerprint, :claim, ${CLAIMED_UNTIL}, :now)
     ON CONFLICT (digest) DO UPDATE SET
       claim = excluded.claim,
       claimed_until = excluded.claimed_until,
       fingerprint = excluded.fingerprint,
       results = CASE WHEN known.created_at < :expired THEN '{}' ELSE known.results END,
       reply = NULL,
       created_at = CASE WHEN known.created_at < :expired THEN excluded.created_at ELSE known.created_at END
     WHERE known.claimed_until < clock_timestamp() AND (
       known.created_at < :expired OR (known.reply IS NULL AND known.fingerprint = excluded.fingerprint))
     RETURNING results`,
    { digest, fingerprint, claim, now, expired: expiredBefore },
  );
  return rows[0]?.results ?? null;
}

/** Reads a key without waiting for its holder. */
export async function findKey(db: Db, digest: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await db.raw<{ rows: KeyRow[] }>(
    `SELECT fingerprint, reply, claimed_until >= clock_timestamp() AS is_claimed
       FROM idempotency_keys WHERE digest = ?`,
    [digest],
  );
  return rows[0];
}

/** Extends the claim, if the request still holds the key. */
export async function renewClaim(db: Db, { digest, claim }: ClaimedKey): Promise<void> {
  const claimed_until = db.raw(CLAIMED_UNTIL);
  await db('idempotency_keys').where({ digest, claim }).update({ claimed_until });
}

/**
 * Appends the result of the request's transaction number `place`, counted from 0, inside that transaction.
 * @returns false if another request has taken over the key; the transaction must then not be committed
 */
export async function appendResult(
  tx: Tx,
  { digest, claim }: ClaimedKey,
  { place, result }: { place: number; result: Buffer },
): Promise<boolean> {
  const { rowCount } = await tx.raw<{ rowCount: number }>(
    `UPDATE idempotency_keys SET results = array_append(results, ?::bytea), claimed_until = ${CLAIMED_UNTIL}
      WHERE digest = ? AND claim = ? AND cardinality(results) = ?`,
    [result, digest, claim, place],
  );
  return rowCount > 0;
}

/** A slot is one byte; an encrypted reply has more. */
const SLOT_LENGTH = 1;

/**
 * Stores the reply in the slot of today, deletes the results and ends the claim, in one statement: a key has either its
 * results or a reply.
 */
export async function storeReply(db: Db, { digest, claim }: ClaimedKey, reply: Buffer): Promise<void> {
  await db.raw(
    `WITH held AS (SELECT digest FROM idempotency_keys WHERE digest = :digest AND claim = :claim FOR UPDATE),
          kept AS (
            INSERT INTO idempotency_replies (slot, digest, reply) SELECT reply_slot(), digest, :reply FROM held
            ON CONFLICT (slot, digest) DO UPDATE SET reply = excluded.reply
            RETURNING slot)
     UPDATE idempotency_keys SET reply = set_byte('\\x00', 0, kept.slot), results = '{}', claimed_until = clock_timestamp()
       FROM kept WHERE digest = :digest`,
    { digest, claim, reply },
  );
}

/** Reads the encrypted reply of a key that has one. @returns undefined if its slot has been emptied */
export async function findReply(db: Db, digest: Buffer, stored: Buffer): Promise<Buffer | undefined> {
  if (stored.length > SLOT_LENGTH) return stored;
  const { rows } = await db.raw<{ rows: { reply: Buffer }[] }>(
    'SELECT reply FROM idempotency_replies WHERE slot = ? AND digest = ?',
    [stored.readUInt8(), digest],
  );
  return rows[0]?.reply;
}

/** Empties the slot of the day before yesterday. @returns how many bytes are free again */
export async function emptyExpiredReplies(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { freed: string }[] }>('SELECT empty_expired_replies() AS freed');
  return Number(rows[0]?.freed ?? 0);
}

/** Ends the claim of a request whose reply is not stored; deletes the key if it has no results. */
export async function releaseKey(db: Db, { digest, claim }: ClaimedKey): Promise<void> {
  await db.raw(
    `WITH unused AS (DELETE FROM idempotency_keys WHERE digest = :digest AND claim = :claim AND results = '{}')
     UPDATE idempotency_keys SET claimed_until = clock_timestamp()
      WHERE digest = :digest AND claim = :claim AND results <> '{}'`,
    { digest, claim },
  );
}

/** Deletes up to `limit` keys created before `before` that no request holds. @returns how many */
export async function deleteExpiredKeys(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM idempotency_keys WHERE digest = ANY(ARRAY(
       SELECT digest FROM idempotency_keys WHERE created_at < ? AND claimed_until < clock_timestamp()
        ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED))`,
    [before, limit],
  );
  return rowCount;
}
