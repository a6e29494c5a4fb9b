import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config';
import { buildUrl } from '../platform/http/http-server';
import { createLifecycle } from '../platform/lifecycle';
import { StartupError } from '../platform/startup-error';
import { connectStore, serve } from './serve';

/** The processes that serve the port. */
export interface Workers {
  url: string;
  /** Lets every worker finish its requests. Takes at most the shutdown delay and eight seconds. */
  stop: () => Promise<void>;
}

const STOP_MS = 8_000;

/** A worker that died is replaced after this time. */
const PAUSE_MS = 500;

/**
 * Starts WORKERS processes that serve the port, and replaces those that die. The main process distributes connections,
 * owns the database and runs the jobs.
 * @throws StartupError if a worker does not start; it has printed the reason
 */
export async function startWorkers(config: Config, databaseUrl: string, log: Logger): Promise<Workers> {
  // Node keeps `workers` up to date.
  const alive = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const fork = (): Worker => cluster.fork({ DATABASE_URL: databaseUrl });
  let isStopping = false;

  const stop = async (): Promise<void> => {
    isStopping = true;
    const ended = Promise.all(alive().map((worker) => once(worker, 'exit')));
    for (const worker of alive()) worker.process.kill('SIGTERM');
    await Promise.race([ended, delay(config.shutdownDelayMs + STOP_MS, undefined, { ref: false })]);
    for (const worker of alive()) worker.process.kill('SIGKILL');
  };

  const ports = await Promise.all(
    Array.from({ length: config.workers }, () => waitUntilListening(fork())),
  ).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  cluster.on('exit', (worker, code, signal: string | null) => {
    if (isStopping) return;
    log.error({ worker: worker.id, code, signal }, 'worker died, starting another one');
    setTimeout(() => {
      if (!isStopping) fork();
    }, PAUSE_MS);
  });
  return { url: buildUrl(config.host, ports[0] ?? config.port), stop };
}

async function waitUntilListening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }: { port: number }) => resolve(port));
    worker.once('exit', (code) => reject(new StartupError(`a worker did not start (exit code ${code})`)));
  });
}

/** Runs a worker, which stops when the main process does. */
export async function runWorker(config: Config, log: Logger): Promise<void> {
  if (config.databaseUrl === null) throw new Error('the main process passes the URL of the database');
  const lifecycle = createLifecycle(log, { isWorker: true, shutdownDelayMs: config.shutdownDelayMs });
  process.once('disconnect', () => void lifecycle.stop(1));
  const program = { config, log, lifecycle };
  try {
    await serve(program, await connectStore(program, config.databaseUrl));
  } catch (error) {
    lifecycle.failStart(error);
  }
}
