import request from 'supertest';
import { createS3Bucket } from '../../../src/platform/storage/s3-bucket';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp, type TestApp } from '../../support/api';
import { S3_FAULTS, startBrokenS3, type BrokenS3, type S3Fault } from '../../support/broken-s3';
import { testDb } from '../../support/database';
import { anImageOwner, uploadImage } from '../../support/images.factory';
import { orderInState } from '../../support/orders.factory';
import { aPicture } from '../../support/pictures';
import { listTemporaryFiles } from '../../support/storage';

const LIMITS = { idleMs: 400, callMs: 1_500, restMs: 1_500 };

const FAULTS: [string, S3Fault][] = [
  ['never answers', S3_FAULTS.neverAnswers],
  ['forbids', S3_FAULTS.answers(403)],
  ['fails', S3_FAULTS.answers(500)],
  ['hangs up', S3_FAULTS.hangsUp],
  ['cuts its replies off', S3_FAULTS.cutsAfterHead(1000)],
];

const PNG = { part: 'image[attachment]', name: 'picture.png' };
const CSV = { part: 'file', bytes: Buffer.from('sku,price\nA,1\n'), name: 'prices.csv' };

let service: BrokenS3;
let broken: TestApp;

beforeEach(async () => {
  service = await startBrokenS3(S3_FAULTS.neverAnswers);
  broken = makeTestApp({ storage: createS3Bucket(service.address, { limits: LIMITS }) });
});

afterEach(() => service.close());

const countImages = async (): Promise<number> =>
  Number((await testDb()('images').count({ count: '*' }))[0]?.count);
const countImports = async (): Promise<number> =>
  Number((await testDb()('imports').count({ count: '*' }))[0]?.count);

test.each(FAULTS)('a bucket that %s: files are refused, and nothing is half done', async (_name, fault) => {
  const owner = await anImageOwner();
  const path = `/products/${owner.slug}/images`;
  const image = (await uploadImage(path)).body;
  const order = await orderInState('complete');
  const { documents } = (await api(order.caller).get(`/orders/${order.number}/documents`)).body;
  const admin = api(await anAdmin(), broken);
  const before = [await countImages(), await countImports()];
  service.fail(fault);

  const bytes = await aPicture({ width: 20, height: 10 });
  const refused = [
    await admin.multipart('post', path, { files: [{ ...PNG, bytes }] }),
    await admin.multipart('put', `${path}/${image.id}`, { files: [{ ...PNG, bytes }] }),
    await request(broken.app).get(image.mini_url),
    await admin.get(documents[0].url.replace('/api/v1', '')),
    await admin.multipart('post', '/imports', { files: [CSV], fields: { kind: 'prices' } }),
  ];
  for (const { status, headers, body } of refused)
    expect([status, headers['retry-after'], headers['x-error-code'], body]).toEqual([
      503,
      '5',
      'files_unavailable',
      { error: 'Files are not available. Please try again.' },
    ]);
  expect([await countImages(), await countImports()]).toEqual(before);
  expect(await listTemporaryFiles()).toEqual([]);
  expect((await request(testApp().app).get(image.mini_url)).status).toBe(200);
});

test('records are deleted and imports canceled; their files follow later', async () => {
  const path = `/products/${(await anImageOwner()).slug}/images`;
  const image = (await uploadImage(path)).body;
  const admin = await anAdmin();
  const { id } = (
    await api(admin).multipart('post', '/imports', { files: [CSV], fields: { kind: 'prices' } })
  ).body;
  expect((await api(admin, broken).delete(`${path}/${image.id}`)).status).toBe(204);
  expect((await api(admin, broken).delete(`/imports/${id}`)).status).toBe(204);
  expect((await api(admin).get(`/imports/${id}`)).body.state).toBe('canceled');
});

test('shoppers buy while the bucket is away', async () => {
  const customer = await aCustomer();
  expect((await api(customer, broken).post('/orders')).status).toBe(201);
  expect((await api(customer, broken).get('/products')).status).toBe(200);
  expect(service.requests()).toBe(0);
  expect(testApp().deps.storage).not.toBe(broken.deps.storage);
});
