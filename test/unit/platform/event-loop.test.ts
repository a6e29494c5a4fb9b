import { setTimeout as wait } from 'node:timers/promises';
import { isEventLoopBusy } from '../../../src/platform/event-loop';

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('the event loop is busy after it had no time left, and not after it waited', async () => {
  // The utilization of a loop is only measured between its turns.
  await wait(1);
  isEventLoopBusy();
  for (let turn = 0; turn < 5; turn += 1) {
    work(20);
    await new Promise(setImmediate);
  }
  expect(isEventLoopBusy()).toBe(true);
  // Work of the test runner may fill a sample. A loop that stays busy ends by the time limit of the test.
  do await wait(100);
  while (isEventLoopBusy());
});
