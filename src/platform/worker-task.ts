import { Worker } from 'node:worker_threads';
import { Unavailable } from './errors';
import { createSlots } from './slots';
import type { TaskResult } from './serve-tasks';

export interface WorkerTaskOptions {
  /** In milliseconds: a task that takes longer is ended. */
  taskMs: number;
  /** In milliseconds: a thread that has had nothing to do for so long gives its memory back. */
  idleMs: number;
}

/** Tasks that wait for the thread. */
const WAITING = 100;
const WAIT_MS = 10_000;

/**
 * Creates a function that runs a task in a thread, so that the event loop goes on with other requests. `file` is the
 * module that calls `serveTasks`. Input and output are plain data. The thread starts with the first task and runs one at
 * a time. The function throws Unavailable while too many tasks wait and when a task takes too long; it passes on errors of the task.
 */
export function createWorkerTask<Input, Output>(
  file: string,
  { taskMs, idleMs }: WorkerTaskOptions,
): (input: Input) => Promise<Output> {
  const inTurn = createSlots({ concurrency: 1, waiting: WAITING, waitMs: WAIT_MS });
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  const stop = (): void => {
    worker?.removeAllListeners('exit');
    void worker?.terminate();
    worker = null;
  };
  const run = async (input: Input): Promise<Output> => {
    clearTimeout(idle);
    worker ??= startWorker(file, () => {
      worker = null;
    });
    try {
      const result = await callWorker<Input, Output>(worker, input, taskMs);
      idle = setTimeout(stop, idleMs).unref();
      if ('error' in result) throw result.error;
      return result.output;
    } catch (error) {
      stop();
      throw error;
    }
  };
  return (input) => inTurn(() => run(input));
}

function startWorker(file: string, onExit: () => void): Worker {
  // From sources (`npm run dev`, tests) the thread compiles as the program does.
  const worker = new Worker(file, file.endsWith('.ts') ? { execArgv: ['--require', 'tsx/cjs'] } : {});
  // A thread without a task does not keep the program from ending, and its end is no error.
  worker.unref();
  worker.on('error', () => undefined);
  worker.on('exit', onExit);
  return worker;
}

async function callWorker<Input, Output>(
  worker: Worker,
  input: Input,
  taskMs: number,
): Promise<TaskResult<Output>> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      action();
    };
    const onMessage = (result: TaskResult<Output>): void => {
      settle(() => {
        resolve(result);
      });
    };
    const onError = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onExit = (code: number): void => {
      onError(new Error(`the thread has ended with code ${code}`));
    };
    const timer = setTimeout(() => {
      onError(new Unavailable('The service is busy. Please try again.', 1, `a task took ${taskMs} ms`));
    }, taskMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(input);
  });
}
