import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Deps } from '../../access/context';
import { errorReply } from '../../errors/error-handler';
import { Conflict, Refused, RequestRunning } from '../../errors/errors';
import type { TransactionHooks, Tx } from '../database/transaction';
import { sealedBox, type SealedBox } from '../sealed-box';
import {
  appendResult,
  claimKey,
  findKey,
  keepReply,
  releaseKey,
  renewClaim,
  type ClaimedKey,
} from './idempotency-keys.repository';

/** A reply as it is sent, and kept. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** JSON text; null for none. */
  body: string | null;
}

/** What tells one repeated request from another. */
export interface RequestKey {
  /** Who sends it and under which key. */
  scope: readonly string[];
  /** What is asked, down to the bytes of an upload. */
  request: readonly unknown[];
}

type OnceDeps = Pick<Deps, 'db' | 'log' | 'now' | 'secret'>;

const KEPT_MS = 24 * 3_600_000;
const PATIENCE_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const RENEWAL_MS = 1_000;

/** Replies that say "not now" or "not you": the same request may well succeed later. */
const NOT_KEPT: ReadonlySet<number> = new Set([401, 408, 409, 412, 413, 429]);

/** When a key made at an earlier time is not known any more. */
export function expiryOfKeys(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

/**
 * Runs a request once however often it is sent: a repeated one gets the reply that was kept, waiting for it up to five seconds.
 * `work` is given the hooks its transactions need: each keeps its result in the key's row as part of its own commit. When the
 * process dies between an effect and the reply, the next request with the key takes it over and runs the same code again, in
 * which the committed transactions return what they returned the first time (docs/decisions/0011).
 * @throws Refused when the key was sent with another request; RequestRunning while it is still running; what `work` throws
 */
export async function runOnce(
  deps: OnceDeps,
  key: RequestKey,
  work: (hooks: ResultLog) => Promise<Reply>,
): Promise<{ reply: Reply; isReplayed: boolean }> {
  const box = sealedBox(deps.secret, 'idempotency');
  const held = { digest: box.digest(JSON.stringify(key.scope)), claim: randomUUID() };
  const claimed = await claimOrRecall(deps, box, {
    held,
    fingerprint: box.digest(JSON.stringify(key.request)),
  });
  if ('reply' in claimed) return { reply: claimed.reply, isReplayed: true };
  const log = new ResultLog(box, held, claimed.results);
  const renewal = setInterval(() => {
    renewClaim(deps.db, held).catch(() => undefined); // A lost claim is found out by the next commit.
  }, RENEWAL_MS).unref();
  try {
    const reply = await work(log);
    await keep(deps, box, { held, reply });
    return { reply, isReplayed: false };
  } catch (error) {
    const reply = replyOf(error);
    if (reply === null || log.isBehind()) await release(deps, held);
    else await keep(deps, box, { held, reply });
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** The results of one request's transactions: those of an earlier attempt are recalled, new ones are kept. */
export class ResultLog implements TransactionHooks {
  private place = 0;

  constructor(
    private readonly box: SealedBox,
    private readonly held: ClaimedKey,
    private readonly results: readonly Buffer[],
  ) {}

  /** Whether transactions of an earlier attempt were not reached yet. */
  isBehind(): boolean {
    return this.place < this.results.length;
  }

  recall(): { result: unknown } | null {
    const sealed = this.results[this.place];
    if (sealed === undefined) return null;
    this.place += 1;
    return { result: deserialize(this.box.open(sealed, this.held.digest)) as unknown };
  }

  isolationLevel(): undefined {
    return undefined;
  }

  begin(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws Conflict when another request has taken the key over */
  async end(tx: Tx, result: unknown): Promise<void> {
    const sealed = this.box.seal(serialize(result), this.held.digest);
    const isHeld = await appendResult(tx, this.held, { place: this.place, result: sealed });
    if (!isHeld) throw new Conflict('another request holds the idempotency key');
  }

  committed(): void {
    this.place += 1;
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
    const results = await claimKey(deps.db, held, { fingerprint, now, expiredBefore: expiryOfKeys(now) });
    if (results !== null) return { results };
    for (;;) {
      const known = await findKey(deps.db, held.digest);
      if (known === undefined) break;
      if (!known.fingerprint.equals(fingerprint)) {
        throw new Refused('This Idempotency-Key was sent with another request.');
      }
      if (known.reply !== null) return { reply: readReply(box.open(known.reply, held.digest)) };
      if (!known.is_claimed) break;
      if (performance.now() > deadline) {
        throw new RequestRunning('The first request with this Idempotency-Key is still running.');
      }
      await wait(pause);
      pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
    }
  }
}

/** Only `keep` writes what is read here. */
function readReply(bytes: Buffer): Reply {
  return JSON.parse(bytes.toString()) as Reply;
}

/** Never fails the request: its effect is there, and the kept results answer whoever repeats it. */
async function keep(
  deps: OnceDeps,
  box: SealedBox,
  { held, reply }: { held: ClaimedKey; reply: Reply },
): Promise<void> {
  try {
    const sealed = box.seal(Buffer.from(JSON.stringify(reply)), held.digest);
    await keepReply(deps.db, held, sealed);
  } catch (error) {
    deps.log.warn({ err: error }, 'the reply of a request with an Idempotency-Key could not be kept');
  }
}

async function release(deps: OnceDeps, held: ClaimedKey): Promise<void> {
  try {
    await releaseKey(deps.db, held);
  } catch (error) {
    deps.log.warn({ err: error }, 'an Idempotency-Key could not be released; its claim runs out by itself');
  }
}

/** The reply that an error becomes; null when it is not to be kept. */
function replyOf(error: unknown): Reply | null {
  const known = errorReply(error);
  if (known === null || known.status >= 500 || NOT_KEPT.has(known.status)) return null;
  return {
    status: known.status,
    headers: { 'Cache-Control': 'no-store' },
    body: JSON.stringify(known.body),
  };
}
