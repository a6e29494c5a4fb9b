import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { closeDatabase } from '../../src/platform/database/knex';
import { anAdmin } from '../support/accounts.factory';
import { makeTestApp } from '../support/api';
import { createDemoDatabase } from '../support/demo-shop';
import { testStorage } from '../support/storage';

const ROOT = path.resolve(__dirname, '../..');
const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
const testWithTools = missing.length === 0 ? test : test.skip;

describe('the tour of the README', () => {
  let db: Knex;
  let server: Server;

  beforeAll(async () => {
    db = await createDemoDatabase();
    const app = makeTestApp({ db, storage: testStorage() });
    server = createServer(app.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await closeDatabase(db);
  });

  testWithTools(
    `runs from browsing to the refund${missing.length === 0 ? '' : ` (skipped: no ${missing.join(', no ')} here)`}`,
    async () => {
      const { port } = server.address() as AddressInfo; // listens on TCP, so it is no pipe's name
      const { stdout } = await promisify(execFile)('bash', ['docs/tour.sh'], {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          STORE: `http://127.0.0.1:${port}`,
          ADMIN_TOKEN: (await anAdmin(db)).token,
        },
      });

      expect(stdout).toContain("'Stoneware Mug'");
      expect(stdout).toContain("'Categories'");
      const afterSearch = stdout.slice(stdout.indexOf('/store/products/'));
      expect(afterSearch.replace(/'UPS.*\n/g, '').split('\n')).toEqual(
        expect.arrayContaining([
          '10',
          '$48.00',
          'address',
          'shipped',
          'received',
          '9',
          'credit_owed',
          'paid',
        ]),
      );
      const states = ['confirm', 'complete', 'completed', 'shipped', 'authorized', 'received', '9'];
      expect(afterSearch).toContain([...states, 'credit_owed', 'completed', 'paid'].join('\n'));
      expect(afterSearch).toContain("'order: confirm -> complete (checkout complete)'");
    },
  );
});
