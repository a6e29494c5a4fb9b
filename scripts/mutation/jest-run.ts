import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

export interface JestRequest {
  /** Absolute paths of test files. */
  files: readonly string[];
  environment: Record<string, string>;
  /** The run is killed after this time. */
  milliseconds: number;
  /** A file for the result, which is removed afterwards. */
  output: string;
  arguments?: readonly string[];
}

export interface JestResult {
  /** The failed tests: file and full name. A file that does not load has an empty name. */
  failed: { file: string; name: string }[];
  isTimeout: boolean;
}

/** Runs jest with jest.mutate.config.js in a process of its own. */
export async function runJest(request: JestRequest): Promise<JestResult> {
  const isTimeout = await runToEnd(request);
  if (isTimeout) return { failed: [], isTimeout };
  try {
    return readResult(request.output);
  } finally {
    rmSync(request.output, { force: true });
  }
}

/** Returns whether the run was killed. */
async function runToEnd(request: JestRequest): Promise<boolean> {
  const child = spawn(process.execPath, buildArguments(request), {
    cwd: ROOT,
    // Threads of the program inherit it, and start with `--require tsx/cjs` themselves, which `--import` would break.
    env: { ...process.env, ...request.environment, NODE_OPTIONS: '--require=tsx/cjs' },
    stdio: 'ignore',
    // A group of its own, so that the workers end with it.
    detached: true,
  });
  let isTimeout = false;
  const timer = setTimeout(() => {
    isTimeout = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, request.milliseconds);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return isTimeout;
}

function buildArguments(request: JestRequest): string[] {
  return [
    path.join(ROOT, 'node_modules/jest/bin/jest.js'),
    '--config=jest.mutate.config.js',
    '--watchman=false',
    // A test that fails with a mutant may leave something open.
    '--forceExit',
    '--json',
    `--outputFile=${request.output}`,
    ...(request.arguments ?? []),
    '--runTestsByPath',
    ...request.files,
  ];
}

/** The part of jest's JSON result that is read. */
interface JestJson {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

function readResult(output: string): JestResult {
  // Jest wrote it.
  const json = JSON.parse(readFileSync(output, 'utf8')) as JestJson;
  const failed = json.testResults.flatMap(({ name: file, status, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === 'failed');
    if (status === 'failed' && tests.length === 0) return [{ file, name: '' }];
    return tests.map(({ fullName }) => ({ file, name: fullName }));
  });
  return { failed, isTimeout: false };
}
