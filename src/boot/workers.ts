import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config';
import { buildUrl } from '../platform/http/http-server';
import { createLifecycle } from '../platform/lifecycle';
import { answerWorkers, joinMainProcess } from '../platform/metrics/cluster-metrics';
import { StartupError } from '../platform/startup-error';
import { connectStore, openPort } from './serve';

/** The processes that serve the port. */
export interface Workers {
  url: string;
  /**
   * Lets the workers serve the store, which until then only report that they run. Resolves when all of them do.
   * @throws StartupError if a worker does not start; it has printed the reason
   */
  serve: (databaseUrl: string) => Promise<void>;
  /** Lets every worker finish its requests. Takes at most the shutdown delay and eight seconds. */
  stop: () => Promise<void>;
}

/** What the main process tells a worker when the database is ready. */
interface Opening {
  databaseUrl: string;
}

/** What a worker tells the main process when it serves the store. */
const SERVING = 'serving';

/** The environment variable of a worker that replaces another one. */
const REPLACEMENT = 'STORE_REPLACEMENT_WORKER';

const STOP_MS = 8_000;

/** A worker that died is replaced after this time. */
const PAUSE_MS = 500;

/**
 * Starts WORKERS processes that open the port, and replaces those that die later. The main process distributes connections,
 * owns the database and runs the jobs.
 * @throws StartupError if a worker does not start; it has printed the reason
 */
export async function startWorkers(config: Config, log: Logger): Promise<Workers> {
  // Node keeps `workers` up to date.
  const alive = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  let isStopping = false;
  answerWorkers();

  const stop = async (): Promise<void> => {
    isStopping = true;
    const ended = Promise.all(alive().map((worker) => once(worker, 'exit')));
    for (const worker of alive()) worker.process.kill('SIGTERM');
    await Promise.race([ended, delay(config.shutdownDelayMs + STOP_MS, undefined, { ref: false })]);
    for (const worker of alive()) worker.process.kill('SIGKILL');
  };
  const orStop = async (error: unknown): Promise<never> => {
    await stop();
    throw error;
  };

  const started = await Promise.all(
    Array.from({ length: config.workers }, async () => {
      const worker = cluster.fork();
      return { worker, port: await waitUntilListening(worker) };
    }),
  ).catch(orStop);

  const serve = async (databaseUrl: string): Promise<void> => {
    const opening: Opening = { databaseUrl };
    await Promise.all(
      started.map(async ({ worker }) => {
        const serving = waitUntilServing(worker);
        worker.send(opening);
        await serving;
      }),
    ).catch(orStop);
    cluster.on('exit', (dead, code, signal: string | null) => {
      if (isStopping) return;
      log.error({ worker: dead.id, code, signal }, 'worker died, starting another one');
      setTimeout(() => {
        if (!isStopping) cluster.fork({ [REPLACEMENT]: 'true' }).send(opening);
      }, PAUSE_MS);
    });
  };
  return { url: buildUrl(config.host, started[0]?.port ?? config.port), serve, stop };
}

async function waitUntilListening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }: { port: number }) => resolve(port));
    worker.once('exit', (code) => reject(explainExit(code)));
  });
}

async function waitUntilServing(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (message === SERVING) resolve();
    });
    if (worker.isDead()) reject(explainExit(worker.process.exitCode));
    worker.once('exit', (code) => reject(explainExit(code)));
  });
}

function explainExit(code: number | null): StartupError {
  return new StartupError(`a worker did not start (exit code ${code})`);
}

/** Runs a worker, which stops when the main process does. */
export async function runWorker(config: Config, log: Logger): Promise<void> {
  const lifecycle = createLifecycle(log, { isWorker: true, shutdownDelayMs: config.shutdownDelayMs });
  process.once('disconnect', () => void lifecycle.stop(1));
  // The main process sends it once, possibly before this worker listens.
  const opening = new Promise<Opening>((resolve) => process.once('message', resolve));
  const open = () => openPort({ config, log, lifecycle }, joinMainProcess());
  try {
    // The others serve while a replacement connects: it must not take connections from them before it can.
    const opened = process.env[REPLACEMENT] === undefined ? await open() : null;
    const { databaseUrl } = await opening;
    const program = { config: { ...config, databaseUrl }, log, lifecycle };
    const connections = await connectStore(program, databaseUrl);
    (opened ?? (await open())).serve(connections);
    process.send?.(SERVING);
  } catch (error) {
    lifecycle.failStart(error);
  }
}
