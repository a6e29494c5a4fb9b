import { serveTasks } from '../../src/platform/serve-tasks';

/** A thread whose tasks block it until the test lets go. */
serveTasks(async (task: { gate: Int32Array; action: 'reply' | 'throw' | 'exit' | 'hang' }) => {
  if (task.action === 'throw') throw new RangeError('refused');
  if (task.action === 'exit') process.exit(3);
  Atomics.wait(task.gate, 0, 0, task.action === 'hang' ? undefined : 20_000);
  return Promise.resolve(Atomics.load(task.gate, 0));
});
