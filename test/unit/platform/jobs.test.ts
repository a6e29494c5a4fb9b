import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pino } from 'pino';
import { startJob } from '../../../src/platform/jobs';

const log = pino({ level: 'silent' });

afterEach(() => jest.useRealTimers());

test('a job runs immediately and repeats, also after a failure', async () => {
  let runs = 0;
  let announce = () => {};
  const thirdRun = new Promise<void>((resolve) => (announce = resolve));
  const job = startJob({ name: 'failing', everyMs: 1, log }, () => {
    runs += 1;
    if (runs === 3) announce();
    return Promise.reject(new Error('this run fails'));
  });
  expect(runs).toBe(1);
  await thirdRun;
  await job.stop();
});

test('a failure is logged with the name of the job', async () => {
  const lines: string[] = [];
  const recording = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const job = startJob({ name: 'unlucky', everyMs: 60_000, log: recording }, () =>
    Promise.reject(new Error('no such luck')),
  );
  await job.stop();
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ job: 'unlucky', err: { message: 'no such luck' } });
});

test('stop waits for the current run and prevents further ones', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  let runs = 0;
  let finish = () => {};
  const job = startJob({ name: 'slow', everyMs: 60_000, log }, () => {
    runs += 1;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  let isStopped = false;
  const stopping = job.stop().then(() => (isStopped = true));
  await turnOfLoop();
  expect(isStopped).toBe(false);

  finish();
  await stopping;
  expect(jest.getTimerCount()).toBe(0);
  expect(runs).toBe(1);
});

test('stop is immediate between two runs', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const job = startJob({ name: 'quick', everyMs: 60_000, log }, () => Promise.resolve());
  await turnOfLoop();
  expect(jest.getTimerCount()).toBe(1);
  await job.stop();
  expect(jest.getTimerCount()).toBe(0);
});
