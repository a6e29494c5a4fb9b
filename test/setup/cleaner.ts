/**
 * Runs beside a test run and outlives it: however the run ends (kill -9 too), the pipe on stdin closes, and what is
 * left of the test server goes away. Argument: the server's temporary folder.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { endProcesses } from '../../src/platform/database/embedded/processes';

const folder = process.argv[2] ?? '';

async function clean(): Promise<void> {
  await endProcesses(path.join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

// A signal to the whole process group means the run, which closes the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.on('end', () => void clean());
