import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';

const idsOf = (body: any): number[] => body.products.map(({ id }: { id: number }) => id);

test('staff relate products, and everybody sees the available ones by position', async () => {
  const admin = await asAdmin();
  const [product, bag, strap, future] = [
    await aProduct(),
    await aProduct(),
    await aProduct(),
    await aProduct({ available_on: '2999-01-01' }),
  ];
  const path = `/products/${product.slug}`;
  const relate = async (relation: object) => admin.post(`${path}/relations`, { relation });
  expect((await api().get(`${path}/related`)).body).toMatchObject({ count: 0, total_count: 0, products: [] });
  const first = await relate({ related_id: bag.id, kind: 'related' });
  expect([first.status, first.body]).toEqual([
    201,
    {
      id: expect.any(Number),
      product_id: product.id,
      related_id: bag.id,
      kind: 'related',
      position: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  const accessory = (await relate({ related_id: strap.id, kind: 'accessory' })).body;
  await relate({ related_id: bag.id, kind: 'up_sell' });
  await relate({ related_id: future.id, kind: 'replacement' });
  expect(accessory.position).toBe(2);

  // Each product once, by the position of its first relation.
  const related = await api().get(`${path}/related`);
  expect([related.body.total_count, idsOf(related.body)]).toEqual([2, [bag.id, strap.id]]);
  expect(related.body.products[0].slug).toBe(bag.slug);
  expect(idsOf((await api().get(`${path}/related?kind=accessory`)).body)).toEqual([strap.id]);
  expect(idsOf((await api().get(`${path}/related?kind=bogus`)).body)).toEqual([]);
  expect(idsOf((await admin.get(`${path}/related?kind=replacement`)).body)).toEqual([future.id]);
  expect(idsOf((await api().get(`${path}/related?q[s]=name desc&fields=id`)).body)).toHaveLength(2);
  expect((await api().get(`/products/${future.slug}/related`)).status).toBe(404);

  const one = `${path}/relations/${accessory.id}`;
  expect((await admin.put(one, { relation: { position: 1, kind: 'related' } })).body).toMatchObject({
    position: 1,
    kind: 'related',
  });
  await admin.put(`${path}/relations/${first.body.id}`, { relation: { position: 5 } });
  expect(idsOf((await api().get(`${path}/related?kind=related`)).body)).toEqual([strap.id, bag.id]);
  const list = await admin.get(`${path}/relations?q[kind_eq]=related`);
  expect(list.body.relations.map(({ id }: { id: number }) => id)).toEqual([accessory.id, first.body.id]);
  expect((await admin.delete(one)).status).toBe(204);
  expect((await admin.get(one)).status).toBe(404);
  expect(idsOf((await api().get(`${path}/related?kind=related`)).body)).toEqual([bag.id]);
  await admin.delete(`/products/${bag.slug}`);
  expect(idsOf((await api().get(`${path}/related`)).body)).toEqual([]);
});

test('relations are of known kinds, to other products, and each only once', async () => {
  const admin = await asAdmin();
  const [product, other, deleted] = [await aProduct(), await aProduct(), await aProduct()];
  await admin.delete(`/products/${deleted.slug}`);
  const path = `/products/${product.slug}/relations`;
  const refused = async (relation: object) => (await admin.post(path, { relation })).body.errors;
  expect(await refused({})).toEqual({ related_id: ["can't be blank"], kind: ["can't be blank"] });
  expect(await refused({ related_id: other.id, kind: 'friend' })).toEqual({ kind: [expect.any(String)] });
  for (const related_id of [product.id, deleted.id, 2_000_000_000])
    expect(await refused({ related_id, kind: 'related' })).toEqual({ related_id: ['is invalid'] });
  const made = await admin.post(path, { relation: { related_id: other.id, kind: 'related' } });
  expect(await refused({ related_id: other.id, kind: 'related' })).toEqual({
    related_id: ['has already been taken'],
  });
  for (const caller of [api(), api({ token: 'unknown' })]) expect((await caller.get(path)).status).toBe(401);
  expect((await admin.get(`/products/${other.slug}/relations/${made.body.id}`)).status).toBe(404);
  expect((await admin.put(`${path}/${made.body.id}`, { relation: { related_id: product.id } })).status).toBe(
    422,
  );
  const { rows } = await testDb().raw(
    `SELECT DISTINCT action FROM audit_log WHERE subject_type = 'Store::Product' AND subject_id = ? AND jsonb_exists(changes, 'related_id')`,
    [product.id],
  );
  expect(rows).toEqual([{ action: 'create' }]);
});

test('variants and masters have a barcode, which is searchable', async () => {
  const product = await aProduct({ barcode: ' 4006381333931 ' });
  expect(product.master.barcode).toBe('4006381333931');
  const admin = await asAdmin();
  const variant = (
    await admin.post(`/products/${product.slug}/variants`, { variant: { barcode: '9780201379624' } })
  ).body;
  expect(variant.barcode).toBe('9780201379624');
  const found = await api().get('/variants?q[barcode_eq]=9780201379624');
  expect(found.body.variants.map(({ id }: { id: number }) => id)).toEqual([variant.id]);
  const cleared = await admin.put(`/variants/${variant.id}`, { variant: { barcode: '' } });
  expect(cleared.body.barcode).toBeNull();
  expect((await api().get(`/products/${product.slug}`)).body.variants[0].barcode).toBeNull();
});
