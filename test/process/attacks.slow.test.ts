import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildRequest, openConnection, pauseFor } from '../support/attackers';
import { endSieges, expectToWithstand, startSiege, type Siege } from '../support/siege';

jest.setTimeout(180_000);

/** Only Linux tells the memory and the sockets of a process, and has several addresses for one machine. */
const describeOnLinux = existsSync('/proc/self/status') ? describe : describe.skip;

let folder: string;
let siege: Siege;

describeOnLinux('other guests are served during', () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'store-attacks-'));
    siege = await startSiege({ DATA_DIR: folder });
  });
  afterAll(async () => {
    await endSieges();
    rmSync(folder, { recursive: true, force: true });
  });

  test('pipelined requests whose replies are not read before the connection is reset', async () => {
    const large = buildRequest({ path: '/docs/assets/openapi-explorer.min.js' });
    const small = buildRequest({ path: '/api/v1/products/1' });
    const bytes = Buffer.concat([...Array<Buffer>(16).fill(large), ...Array<Buffer>(300).fill(small)]);
    await expectToWithstand(siege, async (target, signal) => {
      for (let count = 0; count < 5 && !signal.aborted; count += 1) {
        const socket = await openConnection(target, signal);
        socket.pause().write(bytes);
        await pauseFor(500, signal);
        socket.resetAndDestroy();
      }
    });
  });
});
