import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureTestDatabase } from './database';

const ROOT = path.resolve(__dirname, '../..');

/** The store as a separate process, started like `npm start`. */
export interface Program {
  child: ChildProcess;
  url: string;
  /** The output so far, both streams. */
  output(): string;
  /** Resolves with the exit code; null if a signal ended it. */
  exited: Promise<number | null>;
}

const started: ChildProcess[] = [];

/** Kills processes that a failed test has left running. Call it in afterAll. */
export function killPrograms(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

function launch(env: Record<string, string>, args: readonly string[] = ['bin/start.js']) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    // Only these settings, not those of the environment.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (texts.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (texts.stderr += chunk));
  const exited = once(child, 'close').then(([code]) => code as number | null); // The event of node's child process.
  return { child, texts, exited };
}

/**
 * Starts the store and waits until it listens. Throws with its output if it exits instead.
 * @param args of node; defaults to what `npm start` runs
 */
export async function startProgram(
  env: Record<string, string>,
  args: readonly string[] = ['bin/start.js'],
): Promise<Program> {
  const { child, texts, exited } = launch(env, args);
  const output = () => texts.stdout + texts.stderr;
  const open = new Promise<string>((resolve) => {
    const look = () => {
      const url = /(http:\/\/\S+)\/api\/v1/.exec(output())?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
  });
  const url = await Promise.race([open, exited.then((code) => `exit ${String(code)}`)]);
  if (!url.startsWith('http')) throw new Error(`the store did not start (${url}): ${output()}`);
  return { child, url, output, exited };
}

/** Starts a process that works apart from the servers, like `npm run worker`, and waits until it does. */
export async function startWorkerProgram(
  env: Record<string, string>,
  args: readonly string[] = ['bin/worker.js'],
): Promise<Omit<Program, 'url'>> {
  const { child, texts, exited } = launch(env, args);
  const output = () => texts.stdout + texts.stderr;
  const isRunning = new Promise<true>((resolve) => {
    child.stdout.on('data', () => {
      if (output().includes('the worker is running')) resolve(true);
    });
  });
  if ((await Promise.race([isRunning, exited])) !== true)
    throw new Error(`the worker did not start: ${output()}`);
  return { child, output, exited };
}

/**
 * Waits until the program has written a text. Polling it would take CPU time from the work that the test waits for.
 * @throws Error with its output if it exits instead
 */
export async function waitForOutput(program: Omit<Program, 'url'>, text: string): Promise<void> {
  const { child, output, exited } = program;
  while (!output().includes(text)) {
    if (child.exitCode !== null || child.stdout === null)
      throw new Error(`the program exited before writing "${text}": ${output()}`);
    await Promise.race([once(child.stdout, 'data'), exited]);
  }
}

/** Returns the process ids of the workers of a store with WORKERS above 1. */
export async function listWorkers({ child }: Program): Promise<number[]> {
  const found: number[] = [];
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (Number(parent) === child.pid && command.includes('start.js') && state !== 'Z')
      found.push(Number(name));
  }
  return found;
}

/** Two instances of the store on one database. */
export interface Instances {
  one: Program;
  other: Program;
  /** The URLs that requests go to. Remove that of a killed instance. */
  alive: string[];
  /** Returns one of them in turn. */
  chooseUrl: () => string;
}

/** Starts two instances on the database of this test file. */
export async function startInstances(folder: string): Promise<Instances> {
  const settings = {
    DATABASE_URL: await ensureTestDatabase(),
    DATA_DIR: folder,
    SEED: 'none',
    SECRET_KEY: 'the same on every instance',
  };
  const [one, other] = await Promise.all([startProgram(settings), startProgram(settings)]);
  const alive = [one.url, other.url];
  let next = 0;
  return { one, other, alive, chooseUrl: () => alive[(next += 1) % alive.length] ?? other.url };
}

/** Starts the store with settings that make the start fail. @returns its exit code and stderr */
export async function expectFailedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; stderr: string }> {
  const { texts, exited } = launch(env);
  const code = await exited;
  return { code, stderr: texts.stderr.replace(/^Compiling \(once\) \.\.\.\n/, '') };
}
