import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 20;
const BUSY = 0.9;

let since = performance.eventLoopUtilization();
let wasBusy = false;

/** Returns whether the event loop had hardly any time left in the last 20 milliseconds or more. */
export function isEventLoopBusy(): boolean {
  const sample = performance.eventLoopUtilization(since);
  if (sample.active + sample.idle < SAMPLE_MS) return wasBusy;
  wasBusy = sample.utilization > BUSY;
  since = performance.eventLoopUtilization();
  return wasBusy;
}
