import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { Conflict, KeyReused, ReplyLost, RequestRunning } from '../errors';
import { isLockTimeout } from '../database/pg-errors';
import type { TransactionHooks, Tx } from '../database/transaction';
import { createSealedBox, type SealedBox } from '../sealed-box';
import { pack, unpack } from './packing';
import {
  appendResult,
  claimKey,
  findKey,
  findReply,
  storeReply,
  releaseKey,
  renewClaim,
  type ClaimedKey,
} from './idempotency-keys.repository';

/** A reply as it is sent and stored. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** JSON text; null for none. */
  body: string | null;
}

/** What identifies a request and its key. */
export interface RequestKey {
  /** The owner of the key, and the key. */
  scope: readonly string[];
  /** The content of the request, including a digest of an upload. */
  request: readonly unknown[];
}

/** Returns the reply to an expected error; null for an unexpected one. */
export type ErrorReplies = (
  error: unknown,
) => { status: number; body: unknown; headers: Record<string, string> } | null;

interface OnceDeps {
  db: Knex;
  log: Logger;
  now: () => Date;
  /** The key that replies and results are encrypted with. */
  secret: Buffer;
  errorReply: ErrorReplies;
  /** The space for the kept replies of the owner. */
  quota: ReplyQuota;
}

/** How much may be kept for an owner. */
export interface ReplyQuota {
  /** @throws a refusal if nothing more may be kept */
  check: () => Promise<void>;
  /** Counts kept bytes. */
  count: (bytes: number) => Promise<void>;
}

/** What a key takes besides its reply or results, in bytes: its row, the row of the reply, and their indexes. */
const KEY_BYTES = 600;

const STORED_MS = 24 * 3_600_000;
const PATIENCE_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const RENEWAL_MS = 1_000;

/** Statuses of replies that are not stored, because a retry may succeed. */
const NOT_STORED: ReadonlySet<number> = new Set([401, 408, 409, 412, 413, 429]);

const RUNNING = 'The first request with this Idempotency-Key is still running.';
const LOST = 'The request was carried out, but its reply is lost. Read the record to see the effect.';

/** Returns the time before which created keys are expired. */
export function calculateKeyExpiry(now: Date): Date {
  return new Date(now.getTime() - STORED_MS);
}

/**
 * Runs a request once, however often it is sent: a repeated request gets the stored reply and waits for it up to five
 * seconds. `work` receives the hooks for its transactions; each transaction stores its result in the row of the key. If
 * the process dies between an effect and the reply, the next request with the key runs the same code again, and
 * committed transactions return their recorded results (docs/decisions/0011-once.md).
 * @throws what the quota throws, for a new key; KeyReused if the key was used for another request; RequestRunning while
 * that request is running; ReplyLost if its reply is gone, or `work` fails unexpectedly on recorded results, as on those
 * of another version; what `work` throws
 */
export async function runOnce(
  deps: OnceDeps,
  key: RequestKey,
  work: (hooks: ResultLog) => Promise<Reply>,
): Promise<{ reply: Reply; isReplayed: boolean }> {
  const box = createSealedBox(deps.secret, 'idempotency');
  const held = { digest: box.digest(JSON.stringify(key.scope)), claim: randomUUID() };
  const claimed = await claimOrRecall(deps, box, {
    held,
    fingerprint: box.digest(JSON.stringify(key.request)),
  });
  if ('reply' in claimed) return { reply: claimed.reply, isReplayed: true };
  const recorded = await Promise.all(claimed.results.map((sealed) => unpack(box, sealed, held.digest)));
  if (recorded.length === 0) await checkQuota(deps, held);
  const log = new ResultLog(box, held, recorded);
  const renewal = setInterval(() => {
    renewClaim(deps.db, held).catch(() => undefined); // The next commit detects a lost claim.
  }, RENEWAL_MS).unref();
  try {
    const reply = await work(log);
    await store(deps, box, { held, reply });
    return { reply, isReplayed: false };
  } catch (error) {
    const known = deps.errorReply(error);
    const reply = buildStorableReply(known);
    if (reply === null || log.isBehind()) await release(deps, held, log.countAdded());
    else await store(deps, box, { held, reply });
    if (known !== null || claimed.results.length === 0) throw error;
    deps.log.error({ err: error }, 'the reply to a request with an Idempotency-Key cannot be rebuilt');
    throw new ReplyLost(LOST);
  } finally {
    clearInterval(renewal);
  }
}

/** The results of a request's transactions: recalls those of an earlier attempt and stores new ones. */
export class ResultLog implements TransactionHooks {
  private place = 0;
  private pending = 0;
  private added = 0;

  constructor(
    private readonly box: SealedBox,
    private readonly held: ClaimedKey,
    private readonly results: readonly Buffer[],
  ) {}

  /** Whether an earlier attempt committed transactions that this one has not reached. */
  isBehind(): boolean {
    return this.place < this.results.length;
  }

  /** Returns the bytes of the results that this attempt has committed. */
  countAdded(): number {
    return this.added;
  }

  recall(): { result: unknown } | null {
    const bytes = this.results[this.place];
    if (bytes === undefined) return null;
    this.place += 1;
    return { result: deserialize(bytes) as unknown };
  }

  isolationLevel(): undefined {
    return undefined;
  }

  begin(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws Conflict if another request has taken over the key */
  async end(tx: Tx, result: unknown): Promise<void> {
    const sealed = await pack(this.box, serialize(result), this.held.digest);
    const isHeld = await appendResult(tx, this.held, { place: this.place, result: sealed });
    if (!isHeld) throw new Conflict('another request holds the idempotency key');
    this.pending = sealed.length;
  }

  committed(): void {
    this.place += 1;
    this.added += this.pending;
  }
}

async function claimOrRecall(
  deps: OnceDeps,
  box: SealedBox,
  { held, fingerprint }: { held: ClaimedKey; fingerprint: Buffer },
): Promise<{ results: Buffer[] } | { reply: Reply }> {
  const deadline = performance.now() + PATIENCE_MS;
  const now = deps.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const request = { fingerprint, now, expiredBefore: calculateKeyExpiry(now) };
    const claimed = await claimKey(deps.db, held, request).catch(recognizeLock);
    if (Array.isArray(claimed)) return { results: claimed };
    for (;;) {
      const known = await findKey(deps.db, held.digest);
      if (known !== undefined && !known.fingerprint.equals(fingerprint)) {
        throw new KeyReused('This Idempotency-Key was sent with another request.');
      }
      if (known !== undefined && known.reply !== null)
        return { reply: await recallReply(deps.db, box, held.digest, known.reply) };
      if (claimed === 'locked') throw new RequestRunning(RUNNING);
      if (known === undefined || !known.is_claimed) break;
      if (performance.now() > deadline) throw new RequestRunning(RUNNING);
      await wait(pause);
      pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
    }
  }
}

/**
 * Recognizes that the key could not be claimed because a transaction of the first request still holds its row, for example a commit
 * that waits for a synchronous replica. @throws any other error
 */
function recognizeLock(error: unknown): 'locked' {
  if (!isLockTimeout(error)) throw error;
  return 'locked';
}

/** @throws ReplyLost if it is not kept any more, as with clocks that differ by a day; the request is not run again */
async function recallReply(db: Knex, box: SealedBox, digest: Buffer, stored: Buffer): Promise<Reply> {
  const sealed = await findReply(db, digest, stored);
  if (sealed === undefined) throw new ReplyLost(LOST);
  // Only `store` writes these bytes.
  return JSON.parse((await unpack(box, sealed, digest)).toString()) as Reply;
}

/** Stores the reply. A failure is only logged: the recorded results still answer a repeated request. */
async function store(
  deps: OnceDeps,
  box: SealedBox,
  { held, reply }: { held: ClaimedKey; reply: Reply },
): Promise<void> {
  try {
    const sealed = await pack(box, Buffer.from(JSON.stringify(reply)), held.digest);
    await storeReply(deps.db, held, sealed);
    await deps.quota.count(KEY_BYTES + sealed.length);
  } catch (error) {
    deps.log.warn({ err: error }, 'the reply to a request with an Idempotency-Key could not be stored');
  }
}

/** Releases a key that may not be used. */
async function checkQuota(deps: OnceDeps, held: ClaimedKey): Promise<void> {
  try {
    await deps.quota.check();
  } catch (error) {
    await release(deps, held);
    throw error;
  }
}

/** Ends the claim. The results of committed transactions stay until the key expires. */
async function release(deps: OnceDeps, held: ClaimedKey, bytes = 0): Promise<void> {
  try {
    await releaseKey(deps.db, held);
    if (bytes > 0) await deps.quota.count(KEY_BYTES + bytes);
  } catch (error) {
    deps.log.warn({ err: error }, 'an Idempotency-Key could not be released; its claim expires by itself');
  }
}

/** Returns the reply to store for an error; null when it is not stored. */
function buildStorableReply(known: ReturnType<ErrorReplies>): Reply | null {
  if (known === null || known.status >= 500 || NOT_STORED.has(known.status)) return null;
  return {
    status: known.status,
    headers: { ...known.headers, 'Cache-Control': 'no-store' },
    body: JSON.stringify(known.body),
  };
}
