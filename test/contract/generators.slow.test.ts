import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { api, testApp } from '../support/api';
import { listen, type Listening } from '../support/listen';
import { aProduct } from '../support/products.factory';
import { unique } from '../support/unique';

const ROOT = path.resolve(__dirname, '../..');

/** What a user of openapi-typescript and openapi-fetch writes, with the defaults of both. */
const USE = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

const [, , baseUrl = '', name = '', ids = ''] = process.argv;
const store = createClient<paths>({ baseUrl });
const read = async (query: NonNullable<paths['/api/v1/products']['get']['parameters']['query']>) => {
  const { data, response } = await store.GET('/api/v1/products', { params: { query } });
  return [
    data?.products.map((product) => product.name),
    response.headers.get('X-Ignored-Parameters') ?? '' + (response.headers.get('X-Ignored-Conditions') ?? ''),
    Object.keys(data?.products[0] ?? {}).length === 2,
    Object.keys(data?.facets ?? {}),
  ];
};
const results = [
  await read({ q: { name_eq: name, s: 'name desc' } }),
  await read({ option: { nothing: 'navy' } }),
  await read({ property: { nothing: 'linen' } }),
  await read({ ids: ids.split(',').map(Number), fields: 'id,name', facets: 'price,in_stock' }),
];
console.log(JSON.stringify(results));
`;

/** What a user of openapi-typescript-codegen writes: it sends lists and objects as openapi-generator does. */
const CALL = `
import { OpenAPI, ProductsService } from './generated/index.ts';

const [, , baseUrl = '', name = '', ids = ''] = process.argv;
OpenAPI.BASE = baseUrl;
type Parameters = Record<string, unknown>;
const read = async (query: Parameters) => {
  const { products, facets } = await ProductsService.listProducts(query);
  return [products.map((product) => product.name), Object.keys(products[0] ?? {}).length === 2, Object.keys(facets ?? {})];
};
const results = [
  await read({ q: { name_eq: name, s: 'name desc' } }),
  await read({ q: { id_in: ids.split(',').map(Number) } }),
  await read({ option: { nothing: ['navy', 'red'] } }),
  await read({ property: { nothing: 'linen' } }),
  await read({ ids: ids.split(',').map(Number), fields: 'id,name', facets: 'price,in_stock' }),
];
console.log(JSON.stringify(results));
`;

describe('tools that read the document', () => {
  let folder: string;
  let store: Listening;

  beforeAll(async () => {
    // Below the packages that the program imports.
    folder = mkdtempSync(path.join(ROOT, 'test/client/generated-'));
    store = await listen(testApp().app);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await store.close();
  });

  test('find no problem (the linter of Redocly)', async () => {
    const source = JSON.stringify((await api().get('/openapi.json')).body);
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('generate a client that sends lists, objects and filters as they are read', async () => {
    const [one, other] = [await aProduct({ name: unique('mug') }), await aProduct({ name: unique('mug') })];
    const { text } = await api().get('/openapi.json');
    writeFileSync(path.join(folder, 'openapi.json'), text);
    const cli = path.join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
    execFileSync(process.execPath, [cli, 'openapi.json', '-o', 'schema.ts'], { cwd: folder, stdio: 'pipe' });
    writeFileSync(path.join(folder, 'use.mts'), USE);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const typescript = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), ...options];
    const flags = ['--lib', 'es2022,dom', '--skipLibCheck', '--allowImportingTsExtensions', 'use.mts'];
    const checked = spawnSync(process.execPath, [...typescript, ...flags], { cwd: folder, encoding: 'utf8' });
    expect(checked.stdout).toBe('');
    const tsx = path.join(ROOT, 'node_modules/tsx/dist/cli.mjs');
    const args = [tsx, 'use.mts', store.url, one.name, `${one.id},${other.id}`];
    // Not synchronously: this process is the server.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([
      [[one.name], '', false, []],
      [[], '', false, []],
      [[], '', false, []],
      [[one.name, other.name], '', true, ['price', 'in_stock']],
    ]);
  });

  test('generate a client that repeats the names of lists and puts the names of objects in brackets', async () => {
    const [one, other] = [await aProduct({ name: unique('mug') }), await aProduct({ name: unique('mug') })];
    const { text } = await api().get('/openapi.json');
    writeFileSync(path.join(folder, 'openapi.json'), text);
    const cli = path.join(ROOT, 'node_modules/openapi-typescript-codegen/bin/index.js');
    const generate = [cli, '--input', 'openapi.json', '--output', 'generated', '--useOptions'];
    execFileSync(process.execPath, generate, { cwd: folder, stdio: 'pipe' });
    writeFileSync(path.join(folder, 'call.mts'), CALL);
    const tsx = path.join(ROOT, 'node_modules/tsx/dist/cli.mjs');
    const args = [tsx, 'call.mts', store.url, one.name, `${one.id},${other.id}`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    const both = [one.name, other.name];
    expect(JSON.parse(stdout)).toEqual([
      [[one.name], false, []],
      [both, false, []],
      [[], false, []],
      [[], false, []],
      [both, true, ['price', 'in_stock']],
    ]);
  });
});
