/**
 * Runs beside a test run and outlives it. When the run ends, also by kill -9, the pipe on stdin closes, and
 * this program stops the test server and removes its folder. Argument: the server's temporary folder.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { endProcesses } from '../../src/platform/database/embedded/processes';

const folder = process.argv[2] ?? '';

async function clean(): Promise<void> {
  await endProcesses(path.join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

// A signal to the whole process group also ends the run, which closes the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.on('end', () => void clean());
