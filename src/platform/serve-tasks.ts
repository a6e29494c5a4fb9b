import { parentPort } from 'node:worker_threads';

/** What a thread replies to a task. */
export type TaskResult<Output> = { output: Output } | { error: unknown };

/** Runs the tasks of `createWorkerTask` in this thread. */
export function serveTasks<Input, Output>(run: (input: Input) => Promise<Output>): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a thread only');
  port.on('message', (input: Input) => {
    run(input).then(
      (output) => {
        port.postMessage({ output } satisfies TaskResult<Output>);
      },
      (error: unknown) => {
        port.postMessage({ error } satisfies TaskResult<Output>);
      },
    );
  });
}
