import { setTimeout as pause } from 'node:timers/promises';
import { describeS3Problem, Silent, type S3Problem } from './s3-problem';

/** How long a service may take. In milliseconds. */
export interface S3Limits {
  /** Without a byte in either direction. */
  idleMs: number;
  /** For everything that one call of a storage sends, repetitions included, but not for large contents. */
  callMs: number;
  /** For which a silent service is not called again. */
  restMs: number;
}

export const S3_LIMITS: S3Limits = { idleMs: 5_000, callMs: 8_000, restMs: 5_000 };

/** Slower transfers of large files are given up. In bytes per millisecond. */
const SLOWEST = 100;

const REPEATED_AFTER_MS = 100;

/** One call of a storage: what it sends ends with the signal. */
export type S3Call = <T>(work: (signal: AbortSignal) => Promise<T>, bytes?: number) => Promise<T>;

/**
 * Creates the function that makes the calls of a storage. A call that fails is repeated once, unless the service was silent.
 * Then calls fail at once for a while, so that requests do not pile up before it.
 */
export function createCalls({ callMs, restMs }: S3Limits): S3Call {
  let silentUntil = 0;
  return async (work, bytes = 0) => {
    if (performance.now() < silentUntil) throw new Silent();
    try {
      return await endAfter(callMs + bytes / SLOWEST, (signal) => repeatOnce(() => work(signal)));
    } catch (error) {
      if (describeS3Problem(error)?.code === Silent.CODE) silentUntil = performance.now() + restMs;
      throw error;
    }
  };
}

async function endAfter<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Silent());
      controller.abort();
    }, ms);
  });
  try {
    // Not everything ends with the signal: the credentials of a machine are requested without it.
    return await Promise.race([work(controller.signal), end]);
  } finally {
    clearTimeout(timer);
  }
}

async function repeatOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTemporary(describeS3Problem(error))) throw error;
    await pause(REPEATED_AFTER_MS);
    return work();
  }
}

/** Whether the same request may succeed at once. The client corrects its clock by a reply that refuses it. */
function isTemporary(problem: S3Problem | null): boolean {
  if (problem === null || problem.code === Silent.CODE) return false;
  return problem.kind === 'unreachable' || problem.code === 'RequestTimeTooSkewed';
}
