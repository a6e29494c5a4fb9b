import { spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { runStore } from '../../src/cli/run-store';

const ROOT = path.resolve(__dirname, '../..');

/** The result of a command. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Settings = Record<string, string>;

/** Runs a `store` command in this process, with only these settings. */
export async function runStoreCommand(argv: readonly string[], env: Settings, stdin = ''): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const appendTo = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (written[name] += text) });
  const io = { env, stdin: Readable.from([stdin]), stdout: appendTo('stdout'), stderr: appendTo('stderr') };
  return { code: await runStore(argv, io), ...written };
}

/** Runs `node bin/store.js` as a separate process, with only these settings. */
export function runStoreProgram(argv: readonly string[], env: Settings, stdin = ''): Promise<Outcome> {
  const child = spawn(process.execPath, ['bin/store.js', ...argv], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (written.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (written.stderr += chunk));
  child.stdin.end(stdin);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const stderr = written.stderr.replace(/^Compiling \(once\) \.\.\.\n/, '');
      resolve({ code, stdout: written.stdout, stderr });
    });
  });
}
