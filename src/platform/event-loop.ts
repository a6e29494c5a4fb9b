import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 20;
/** Beside a busy event loop, PostgreSQL and clients need processor time, too. */
const BUSY = 0.6;

let since = performance.eventLoopUtilization();
let wasBusy = false;

/** Returns whether the event loop was busy for most of the last 20 milliseconds or more. */
export function isEventLoopBusy(): boolean {
  const sample = performance.eventLoopUtilization(since);
  if (sample.active + sample.idle < SAMPLE_MS) return wasBusy;
  wasBusy = sample.utilization > BUSY;
  since = performance.eventLoopUtilization();
  return wasBusy;
}
