import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repeatRequest, type RawRequest } from '../support/attackers';
import { endSieges, expectToWithstand, startSiege, type Siege } from '../support/siege';

/** With SIEGE=1 only: they compare times, so they need a quiet machine; and they take minutes. */
const canBesiege = process.env['SIEGE'] === '1' && existsSync('/proc/self/status');
const describeSiege = canBesiege ? describe : describe.skip;

let folder: string;
let siege: Siege;

const search = (q: object): Partial<RawRequest> => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ q }),
});
const names = (count: number, build: (index: number) => string | number, separator = ',') =>
  Array.from({ length: count }, (_, index) => build(index)).join(separator);

describeSiege('without a budget, other guests are served during floods of', () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'store-reads-'));
    siege = await startSiege({ DATA_DIR: folder, RATE_LIMIT_SCALE: '0', STOREFRONT: 'true' });
  });
  afterAll(async () => {
    await endSieges();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each<[string, (number: number) => { path: string } & Partial<RawRequest>]>([
    ['pages of 500 products', (n) => ({ path: `/products?per_page=500&x=${n}` })],
    ['pages of 500 variants', (n) => ({ path: `/variants?per_page=500&x=${n}` })],
    [
      'facets',
      (n) => ({ path: `/products?per_page=1&facets=taxons,price,options,properties,available&x=${n}` }),
    ],
    ['1,000 ids', (n) => ({ path: `/products?ids=${names(1_000, (id) => id + 1 + (n % 3))}` })],
    ['1,500 fields', (n) => ({ path: `/products?fields=${names(1_500, (field) => `f${field}x${n}`)}` })],
    ['1,000 conditions', (n) => ({ path: `/products?${names(1_000, (key) => `q[a${key}]=${n}`, '&')}` })],
    [
      '1,000 conditions with invalid tokens',
      (n) => ({
        path: `/products?${names(1_000, (key) => `q[a${key}]=${n}`, '&')}`,
        headers: { 'X-Store-Token': `invalid${n}` },
      }),
    ],
    [
      'conditions on 90 columns',
      (n) => ({
        path: '/products',
        ...search({ [`${'name_or_description_or_'.repeat(45)}name_cont`]: `a${n}` }),
      }),
    ],
    [
      'searches for 200 words',
      (n) => ({
        path: '/products',
        ...search({ search: names(200, (word) => `a${word}${n}`, ' ') }),
      }),
    ],
    ['lists that are kept', () => ({ path: '/products?per_page=100' })],
  ])('%s', async (_what, build) => {
    const request = (number: number): RawRequest => {
      const { path: endpoint, ...rest } = build(number);
      return { ...rest, path: `/api/v1${endpoint}` };
    };
    await expectToWithstand(siege, async (target, signal) => {
      const statuses = await repeatRequest(target, signal, { request, connections: 8 });
      expect(statuses.filter((status) => ![200, 401].includes(status))).toEqual([]);
    });
  });

  test('pages of the shop', async () => {
    const request = (number: number) => ({ path: `/search?q=mug${number}` });
    await expectToWithstand(siege, async (target, signal) => {
      const statuses = await repeatRequest(target, signal, { request, connections: 8 });
      expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
    });
  });

  test('connections from one address, beyond its share of the places', async () => {
    const request = (number: number) => ({ path: `/api/v1/variants?per_page=500&y=${number}` });
    await expectToWithstand(siege, async (target, signal) => {
      const statuses = await repeatRequest(target, signal, { request, connections: 400 });
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
    });
  });
});
