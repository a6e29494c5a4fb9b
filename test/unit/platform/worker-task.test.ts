import path from 'node:path';
import { createWorkerTask } from '../../../src/platform/worker-task';

interface Task {
  gate: Int32Array;
  action: 'reply' | 'throw' | 'exit' | 'hang';
}

const FILE = path.join(__dirname, '../../support/blocking-thread.ts');
const createTask = ({ taskMs = 20_000, idleMs = 0 } = {}) =>
  createWorkerTask<Task, number>(FILE, { taskMs, idleMs });
const createGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
const open = (gate: Int32Array): void => {
  Atomics.store(gate, 0, 7);
  Atomics.notify(gate, 0);
};

test('the event loop goes on while a task blocks its thread', async () => {
  const run = createTask();
  const gate = createGate();
  const result = run({ gate, action: 'reply' });
  open(gate);
  expect(await result).toBe(7);
});

test('tasks run one at a time', async () => {
  const run = createTask();
  const gates = [createGate(), createGate()];
  let ended = false;
  const first = run({ gate: gates[0]!, action: 'reply' });
  const second = run({ gate: gates[1]!, action: 'reply' }).then(() => (ended = true));
  open(gates[1]!);
  open(gates[0]!);
  await first;
  expect(ended).toBe(false);
  await second;
});

test('an error of a task, its end and a task without end leave the thread usable', async () => {
  const run = createTask({ taskMs: 5_000 });
  const gate = createGate();
  await expect(run({ gate, action: 'throw' })).rejects.toThrow('refused');
  await expect(run({ gate, action: 'exit' })).rejects.toThrow('the thread has ended with code 3');
  await expect(run({ gate, action: 'hang' })).rejects.toThrow('The service is busy');
  open(gate);
  expect(await run({ gate, action: 'reply' })).toBe(7);
});
