import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '..');
const run = promisify(execFile);

/** A server in a process of its own, so that measuring it takes no time from it. */
export interface ServerProcess {
  /** Without a path. */
  url: string;
  /** The memory it occupies now, in MiB. */
  memory: () => Promise<number>;
  /** Asks it to stop and waits until it has. */
  stop: () => Promise<void>;
}

/** The built store as `npm start` runs it, its log thrown away. */
export function startStore(env: Record<string, string>): Promise<ServerProcess> {
  return start(['bin/start.js'], { ...env, PORT: '0' });
}

/** The bare Express server whose figures are the limits. */
export function startLimits(env: Record<string, string>): Promise<ServerProcess> {
  return start(['--import', 'tsx', 'bench/limits-server.ts'], env);
}

async function start(args: readonly string[], env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await announcedUrl(child);
  child.stdout.resume();
  child.stderr.resume();
  return { url, memory: () => memoryOf(child), stop: () => stop(child) };
}

/** The address a server prints when it is open. @throws with what it printed instead when it ends */
async function announcedUrl(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`a server did not start: ${output}`)));
  });
}

async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 1024);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}
