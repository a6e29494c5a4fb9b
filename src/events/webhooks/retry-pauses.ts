const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after failed attempts; the last one repeats. */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
];

/** For how long a delivery is tried. */
const GIVE_UP_MS = 72 * HOUR;

/**
 * Returns when a delivery is tried again after a failed attempt; null if it is given up.
 * @param attempts how many there have been, at least 1
 * @param waitMs what the receiver demands; at most the longest pause counts
 */
export function findNextAttempt(
  { attempts, first_attempt_at }: { attempts: number; first_attempt_at: Date },
  now: Date,
  waitMs: number,
): Date | null {
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? HOUR;
  const next = new Date(now.getTime() + Math.max(pause, Math.min(waitMs, 8 * HOUR)));
  return next.getTime() - first_attempt_at.getTime() > GIVE_UP_MS ? null : next;
}

/** Reads how long a reply asks to wait: `Retry-After` of 429 and 503, in seconds or as a date. Without one, 0. */
export function readRetryAfter(code: number, header: string | undefined, now: Date): number {
  if (header === undefined || ![429, 503].includes(code)) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now.getTime();
  return Number.isFinite(wait) ? wait : 0;
}
