import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCpuClock, listFamily, type CpuClock } from './cpu';

const ROOT = path.resolve(__dirname, '..');
const run = promisify(execFile);

/** A server in a separate process, so that the measurement does not slow it down. */
export interface ServerProcess {
  /** The address, without a path. */
  url: string;
  /** Returns the current memory usage of the process and its workers in MiB. */
  memory: () => Promise<number>;
  /** The CPU time of the process and its workers. */
  cpu: CpuClock;
  /** Stops the process and waits until it has exited. */
  stop: () => Promise<void>;
}

/** Of all stores: several with folders of their own use one database in turn. */
const SECRET_KEY = 'the key of the benchmark';

/**
 * Starts the built store as `npm start` does, without limits because all requests have one address, and discards its log.
 * @param args of node
 */
export function startStore(
  env: Record<string, string>,
  args: readonly string[] = ['bin/start.js'],
): Promise<ServerProcess> {
  return start(args, { SECRET_KEY, RATE_LIMIT_SCALE: '0', ...env, PORT: '0' });
}

/** Starts the bare Express server that serves as the baseline. */
export function startLimits(env: Record<string, string>): Promise<ServerProcess> {
  return start(['--import', 'tsx', 'bench/limits-server.ts'], env);
}

async function start(args: readonly string[], env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await waitForUrl(child);
  child.stdout.resume();
  child.stderr.resume();
  return { url, memory: () => measureMemory(child), cpu: createCpuClock(child.pid), stop: () => stop(child) };
}

/**
 * Waits for the address that a server prints when it is ready, and reads no more of its log, which would take the CPU of the
 * client. @throws Error with its output if it exits
 */
async function waitForUrl(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (url === undefined) return;
      for (const stream of [child.stdout, child.stderr]) stream?.removeListener('data', read);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the server did not start: ${output}`)));
  });
}

async function measureMemory({ pid }: ChildProcess): Promise<number> {
  const ids = pid === undefined ? [] : listFamily(pid);
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', ids.join(',')]);
  const sizes = stdout.trim().split(/\s+/).map(Number);
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}

/** Runs a program of the benchmark in a process of its own. @returns its output */
export async function runBenchProcess(program: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', program], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  return stdout;
}
