import { buildTasks } from '../../src/boot/tasks';
import { runDueJobs } from '../../src/platform/queue/run-queue';
import type { Deps } from '../../src/sales/context';
import { testApp } from './api';

/** Runs the jobs of the queue that are due, and those that they add. @throws the first failure of a job */
export async function runJobs(deps: Deps = testApp().deps): Promise<void> {
  await runDueJobs({ deps, tasks: buildTasks({ cartMaxAgeDays: 90 }), isRunning: () => true });
}
