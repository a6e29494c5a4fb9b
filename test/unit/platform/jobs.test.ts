import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pino } from 'pino';
import { startJob } from '../../../src/platform/jobs';

const log = pino({ level: 'silent' });

/** Resolves when the job has begun its n-th run. */
function counter() {
  let runs = 0;
  const waiting = new Map<number, () => void>();
  return {
    ran: () => runs,
    begin: () => {
      runs += 1;
      waiting.get(runs)?.();
    },
    nth: (n: number) =>
      runs >= n ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(n, resolve)),
  };
}

test('a job runs at once and again, also after it failed', async () => {
  const runs = counter();
  const stop = startJob(
    {
      name: 'failing',
      everyMs: 1,
      run: () => {
        runs.begin();
        return Promise.reject(new Error('this run fails'));
      },
    },
    log,
  );
  expect(runs.ran()).toBe(1);
  await runs.nth(3);
  await stop();
});

test('a failure is logged with the name of the job', async () => {
  const lines: string[] = [];
  const recording = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const run = () => Promise.reject(new Error('no such luck'));
  const stop = startJob({ name: 'unlucky', everyMs: 60_000, run }, recording);
  await stop();
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ job: 'unlucky', err: { message: 'no such luck' } });
});

test('stopping waits for the run that is under way, and none follows', async () => {
  const runs = counter();
  let finish = () => {};
  const stop = startJob(
    {
      name: 'slow',
      everyMs: 0,
      run: () => {
        runs.begin();
        return new Promise<void>((resolve) => (finish = resolve));
      },
    },
    log,
  );
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  await turnOfLoop();
  expect(isStopped).toBe(false);

  finish();
  await stopping;
  await turnOfLoop();
  expect(runs.ran()).toBe(1);
});
