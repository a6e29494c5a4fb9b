import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { killPrograms, startProgram, startWorkerProgram, type Program } from '../test/support/program';
import { findClusterPrograms } from './cluster-programs';
import { startDatabase, startReplicatedDatabase, type Database } from './databases';
import { startOutside, type Outside } from './outside';
import { startCluster } from './patroni';

const RUNNER = path.join(__dirname, 'run-store.js');

export const ADMIN_TOKEN = 'prove-administrator';

/** A store with a worker of its own, and everything around it. */
export interface Stage {
  /** Where the server listens; the last address while it is down. */
  url: () => string;
  /** Ends the requests that are being answered, each of which adds itself, when clients give up a server that does not move. */
  pending: Set<AbortController>;
  database: Database;
  outside: Outside;
  killServer: () => Promise<void>;
  /**
   * Stops the server as a paused machine does, for longer than its claims last, while another one takes its place. It then goes on with
   * what it had begun, and ends.
   */
  freezeServer: () => Promise<void>;
  killWorker: () => Promise<void>;
  /** Exits without a kill, with the end of the output. */
  unexpectedExits: string[];
  /** Ends everything and removes its files. Repeatable. */
  stop: () => Promise<void>;
}

/** A process that is started again whenever it ends, as a service manager does. */
interface Service {
  program: () => Omit<Program, 'url'>;
  /** SIGKILL; resolves when it is running again. */
  kill: () => Promise<void>;
  /** Another program is the service from now on. */
  replace: (next: Omit<Program, 'url'>) => void;
}

/** Longer than the claim of a call of a payment provider, 8 seconds. */
const FROZEN_MS = 11_000;

/** Starts PostgreSQL, what is outside, the server and the worker, in a temporary folder. */
export async function startStage(options: {
  draw: (limit: number) => number;
  failsOver: boolean;
}): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-prove-')));
  const data = path.join(folder, 'database');
  mkdirSync(data);
  const outside = await startOutside(options.draw);
  const database = await (options.failsOver ? startFailingDatabase(data) : startDatabase(data));
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, 'store'),
    SEED: 'reference',
    ADMIN_TOKEN,
    SECRET_KEY: 'the same in both processes',
    RATE_LIMIT_SCALE: '0',
    WORKER: 'off',
    MAIL_URL: outside.mailUrl,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    STAND_IN_PORT: String(outside.stripePort),
  };
  const unexpectedExits: string[] = [];
  const state = { isStopping: false, url: '' };
  const pending = new Set<AbortController>();
  const startAnother = () => startProgram(settings, [RUNNER, 'src/main']);
  const startServer = async (): Promise<Program> => {
    const program = await startAnother();
    state.url = program.url;
    return program;
  };
  const startWorker = () =>
    startWorkerProgram({ ...settings, DATABASE_URL: database.workerUrl }, [RUNNER, 'src/worker']);
  const keep = { state, unexpectedExits };
  const server = await keepRunning('server', startServer, keep);
  const worker = await keepRunning('worker', startWorker, keep);
  const freezeServer = async (): Promise<void> => {
    const frozen = server.program();
    const next = await startAnother();
    frozen.child.kill('SIGSTOP');
    server.replace(next);
    state.url = next.url;
    for (const request of pending) request.abort();
    await setTimeout(FROZEN_MS);
    frozen.child.kill('SIGCONT');
    frozen.child.kill('SIGTERM');
    const code = await frozen.exited;
    if (code !== 0)
      unexpectedExits.push(`frozen server: exit ${String(code)}: ${frozen.output().slice(-500)}`);
  };
  const stop = async (): Promise<void> => {
    state.isStopping = true;
    const programs = [server.program(), worker.program()];
    for (const { child } of programs) child.kill('SIGTERM');
    await Promise.all(programs.map(({ exited }) => exited));
    killPrograms();
    await database.stop();
    await outside.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  let stopping: Promise<void> | undefined;
  return {
    url: () => state.url,
    pending,
    database,
    outside,
    unexpectedExits,
    killServer: server.kill,
    freezeServer,
    killWorker: worker.kill,
    stop: () => (stopping ??= stop()),
  };
}

/** Starts three nodes with Patroni, or a primary with its replica where Patroni, etcd or PostgreSQL is not installed. */
function startFailingDatabase(folder: string): Promise<Database> {
  const programs = findClusterPrograms();
  return programs === null ? startReplicatedDatabase(folder) : startCluster(folder, programs);
}

async function keepRunning(
  name: string,
  start: () => Promise<Omit<Program, 'url'>>,
  { state, unexpectedExits }: { state: { isStopping: boolean }; unexpectedExits: string[] },
): Promise<Service> {
  let program = await start();
  let isKilled = false;
  let again: () => void = () => undefined;
  /** Starts it until it runs: without its database, a program exits. */
  const startAgain = async (): Promise<void> => {
    for (;;) {
      try {
        program = await start();
        return;
      } catch {
        if (state.isStopping) return;
      }
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      const watched = program;
      const code = await watched.exited;
      if (state.isStopping || watched !== program) return;
      if (!isKilled) unexpectedExits.push(`${name}: exit ${String(code)}: ${program.output().slice(-500)}`);
      isKilled = false;
      await startAgain();
      again();
    }
  };
  void watch();
  const kill = async (): Promise<void> => {
    const isBack = new Promise<void>((resolve) => (again = resolve));
    isKilled = true;
    program.child.kill('SIGKILL');
    await isBack;
  };
  const replace = (next: Omit<Program, 'url'>): void => {
    program = next;
    void watch();
  };
  return { program: () => program, kill, replace };
}
