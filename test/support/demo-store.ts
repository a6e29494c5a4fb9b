import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { getRunFolder } from '../setup/test-server';
import { copyDataFolder } from './data-folder';
import { makeOncePerRun } from './once-per-run';
import { startProgram, waitForOutput } from './program';

/**
 * Copies the DATA_DIR of a stopped demo store with all its orders to `target`, which must not exist. The store is made once per test
 * run. Its files are on the disk; a start with ADMIN_TOKEN or ADMIN_PASSWORD sets them.
 */
export async function copyDemoStore(target: string): Promise<void> {
  const original = path.join(getRunFolder(), 'demo-store');
  await makeOncePerRun('demo store', async () => {
    if (!existsSync(original)) await makeDemoStore(original);
  });
  copyDataFolder(original, target);
}

async function makeDemoStore(folder: string): Promise<void> {
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const store = await startProgram({ DATA_DIR: draft, SEED: 'demo' });
  await waitForOutput(store, 'demo orders created');
  store.child.kill('SIGTERM');
  if ((await store.exited) !== 0) throw new Error(`the demo store did not stop: ${store.output()}`);
  renameSync(draft, folder);
}
