import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildRequest, openConnection, pauseFor, repeatRequest, untilAborted } from '../support/attackers';
import { endSieges, expectToWithstand, startSiege, type Siege } from '../support/siege';

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
    const large = buildRequest({ path: '/docs/reference/orders' });
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

  const json = { 'Content-Type': 'application/json' };

  test('80,000 unknown keys in the body of a read', async () => {
    const keys = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`key${index}`, 1]));
    const body = gzipSync(JSON.stringify(keys));
    const request = { path: '/api/v1/products', headers: { ...json, 'Content-Encoding': 'gzip' }, body };
    await expectToWithstand(siege, async (target, signal) => {
      expect(new Set(await repeatRequest(target, signal, { request, connections: 2 }))).toEqual(
        new Set([413]),
      );
    });
  });

  test('compressed bodies that never end', async () => {
    const body = gzipSync(JSON.stringify({ padding: 'x'.repeat(1_000_000) }), { level: 9 });
    const varied = gzipSync(JSON.stringify({ padding: randomBytes(30_000).toString('hex') }));
    const requests = [body, varied].map((bytes) =>
      buildRequest({
        method: 'POST',
        path: '/api/v1/orders',
        headers: { ...json, 'Content-Encoding': 'gzip', 'Content-Length': '1000000' },
        body: bytes.subarray(0, -8),
      }),
    );
    await expectToWithstand(siege, async (target, signal) => {
      for (let count = 0; count < 300 && !signal.aborted; count += 1) {
        await pauseFor(10, signal);
        (await openConnection(target, signal)).write(requests[count % 2] ?? '');
      }
      await untilAborted(signal);
    });
  });

  test('bodies nested too deeply', async () => {
    const request = { method: 'POST', path: '/api/v1/orders', headers: json, body: '['.repeat(10_000) };
    const deep = { ...request, headers: { ...json, 'Idempotency-Key': 'a-key-of-some-length' } };
    const body = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    await expectToWithstand(siege, async (target, signal) => {
      const [broken, nested] = await Promise.all([
        repeatRequest(target, signal, { request, connections: 1 }),
        repeatRequest(target, signal, { request: { ...deep, body }, connections: 1 }),
      ]);
      expect(new Set([...broken, ...nested])).toEqual(new Set([400]));
    });
  });

  test('searches for 1,900 patterns', async () => {
    const values = Array.from({ length: 1_900 }, () => '%q');
    const body = JSON.stringify({ q: { product_description_matches_any: values } });
    const request = { path: '/api/v1/variants', headers: json, body };
    await expectToWithstand(siege, async (target, signal) => {
      expect(new Set(await repeatRequest(target, signal, { request, connections: 2 }))).toEqual(
        new Set([200]),
      );
    });
  });

  test('bursts of pipelined requests for lists, whose replies are not read', async () => {
    const list = buildRequest({
      path: '/api/v1/products?per_page=100',
      headers: { 'Accept-Encoding': 'gzip' },
    });
    await expectToWithstand(siege, async (target, signal) => {
      for (let count = 0; count < 200 && !signal.aborted; count += 1) {
        (await openConnection(target, signal)).pause().write(Buffer.concat(Array<Buffer>(30).fill(list)));
      }
      await untilAborted(signal);
    });
  });
});
