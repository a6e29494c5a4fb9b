import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import {
  anImageOwner,
  listPositions,
  replaceImage,
  uploadImage,
  type ImageOwner,
} from '../../support/images.factory';
import { aPicture } from '../../support/pictures';
import { NOT_FOUND, invalid } from '../../support/error-bodies';

const NOT_AUTHORIZED = { error: 'You are not authorized to perform that action.' };

let owner: ImageOwner;
let path: string;
let variantPath: string;

beforeEach(async () => {
  owner = await anImageOwner();
  path = `/products/${owner.slug}/images`;
  variantPath = `/variants/${owner.variant_id}/images`;
});

/** Uploads pictures in turn and returns their ids. */
async function uploadImages(count: number, to = path): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await uploadImage(to)).body.id);
  return ids;
}

describe('creating', () => {
  test('an uploaded picture becomes the last image of the master', async () => {
    const now = new Date('2026-03-01T09:41:10.500Z');
    const files = [{ part: 'image[attachment]', bytes: await aPicture(), name: 'front view.png' }];
    const app = makeTestApp({ now: () => now });
    await testDb()('products')
      .where({ id: owner.id })
      .update({ available_on: new Date('2026-01-01') });

    const reply = await api(await anAdmin(), app).multipart('post', path, {
      files,
      fields: { type: 'image/png' },
    });

    expect(reply.status).toBe(201);
    const { id } = reply.body;
    const url = (size: string) => `/store/products/${id}/${size}/front_view.png?1772358070`;
    expect(reply.body).toEqual({
      id,
      position: 1,
      attachment_content_type: 'image/png',
      attachment_file_name: 'front_view.png',
      type: 'Store::Image',
      attachment_updated_at: '2026-03-01T09:41:10.500Z',
      attachment_width: 360,
      attachment_height: 360,
      alt: null,
      viewable_type: 'Store::Variant',
      viewable_id: owner.master_id,
      mini_url: url('mini'),
      small_url: url('small'),
      product_url: url('product'),
      large_url: url('large'),
      xlarge_url: url('xlarge'),
      urls: [
        { width: 48, url: url('mini') },
        { width: 100, url: url('small') },
        { width: 240, url: url('product') },
        { width: 360, url: url('large') },
      ],
    });
    expect((await api(await anAdmin()).get(`${path}/${id}`)).body).toEqual(reply.body);
  });

  test('the type is detected from the bytes, not from the request', async () => {
    const bytes = await aPicture({ format: 'gif', width: 30, height: 20 });

    const reply = await uploadImage(path, { bytes, name: 'picture.png', fields: { type: 'image/png' } });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      attachment_content_type: 'image/gif',
      attachment_file_name: 'picture.png',
      attachment_width: 30,
      attachment_height: 20,
    });
  });

  test.each([
    ['alone', { type: 'image/png' }],
    ['beside attributes in the wrapper', { type: 'image/png', 'image[alt]': 'From the side' }],
    ['in the wrapper', { 'image[type]': 'image/png', 'image[alt]': 'From the side' }],
  ])('the type is not an unknown parameter %s', async (_where, fields) => {
    const created = await uploadImage(path, { fields });
    const replaced = await replaceImage(`${path}/${created.body.id}`, { fields });
    for (const reply of [created, replaced]) {
      expect(reply.status).toBe(201);
      expect(reply.headers).not.toHaveProperty('x-ignored-parameters');
    }
  });

  test.each([
    ['in the wrapper', { 'image[alt]': 'From the side', 'image[position]': '1' }],
    ['at the top level', { alt: 'From the side', position: '1' }],
  ])('alt and position are accepted %s', async (_where, fields) => {
    const [first] = await uploadImages(1);

    const reply = await uploadImage(path, { fields });

    expect(reply.body).toMatchObject({ alt: 'From the side', position: 1 });
    expect(await listPositions(path)).toEqual([
      [reply.body.id, 1],
      [first, 2],
    ]);
  });

  test('a position after the last one means the last one', async () => {
    await uploadImages(1);
    const reply = await uploadImage(path, { fields: { 'image[position]': '99' } });
    expect(reply.body.position).toBe(2);
  });

  test('viewable_id assigns the picture to another variant, whose positions start at 1', async () => {
    await uploadImages(2);
    const reply = await uploadImage(path, { fields: { 'image[viewable_id]': String(owner.variant_id) } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ viewable_id: owner.variant_id, position: 1 });
  });

  test('below a variant the picture belongs to that variant', async () => {
    const reply = await uploadImage(variantPath);
    expect(reply.status).toBe(201);
    expect(reply.body.viewable_id).toBe(owner.variant_id);
  });

  test.each([
    ['of another product', async () => (await anImageOwner()).master_id],
    ['that does not exist', () => Promise.resolve(2147483647)],
    [
      'that is deleted',
      async () => {
        await testDb()('variants').where({ id: owner.variant_id }).update({ deleted_at: new Date() });
        return owner.variant_id;
      },
    ],
  ])('a variant %s returns 422', async (_which, viewableId) => {
    const fields = { 'image[viewable_id]': String(await viewableId()) };
    const reply = await uploadImage(path, { fields });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ viewable_id: ['is invalid'] }));
    expect(await listPositions(path)).toEqual([]);
  });

  test.each([
    ['image[position]', '0', { position: ['must be greater than or equal to 1'] }],
    ['image[position]', 'first', { position: ['is not a number'] }],
    ['image[alt]', 'x'.repeat(256), { alt: ['is too long (maximum is 255 characters)'] }],
    ['image[viewable_id]', 'x', { viewable_id: ['is invalid'] }],
  ])('%s = %s returns 422', async (field, value, errors) => {
    const reply = await uploadImage(path, { fields: { [field]: value } });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid(errors));
  });

  test('an unknown product returns 404 before the input is validated', async () => {
    const reply = await uploadImage('/products/nothing-here/images', { fields: { 'image[position]': '0' } });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual(NOT_FOUND);
  });

  test('pictures uploaded concurrently get one position each', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => uploadImage(path)));
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201, 201]);
    expect(replies.map((reply) => reply.body.position).sort()).toEqual([1, 2, 3, 4]);
  });
});

describe('reading', () => {
  test('the images of a product are those of its master and then of each variant; a variant has its own', async () => {
    const ofVariant = await uploadImages(2, variantPath);
    const ofMaster = await uploadImages(2);

    expect(await listPositions(path)).toEqual([
      [ofMaster[0], 1],
      [ofMaster[1], 2],
      [ofVariant[0], 1],
      [ofVariant[1], 2],
    ]);
    expect((await listPositions(variantPath)).map(([id]) => id)).toEqual(ofVariant);
    expect((await listPositions(`/products/${owner.id}/images`)).length).toBe(4);
  });

  test('the list is not paged', async () => {
    await uploadImages(2);
    const reply = await api().get(`${path}?per_page=1&page=2`);
    expect(Object.keys(reply.body)).toEqual(['images']);
    expect(reply.body.images.length).toBe(2);
  });

  test('the list can be searched and sorted', async () => {
    const [first, second] = await uploadImages(2);
    const side = (await uploadImage(path, { fields: { alt: 'From the side' } })).body.id;

    expect((await api().get(`${path}?q[alt_cont]=SIDE`)).body.images).toMatchObject([{ id: side }]);
    const sorted = await api().get(`${path}?q[s]=position desc`);
    expect(sorted.body.images).toMatchObject([{ id: side }, { id: second }, { id: first }]);
  });

  test('guests and customers see the images of a product on sale', async () => {
    const [id] = await uploadImages(1);
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).get(path)).body.images).toMatchObject([{ id }]);
      expect((await api(caller).get(`${path}/${id}`)).status).toBe(200);
      expect((await api(caller).get(`${variantPath}/new`)).status).toBe(200);
    }
  });

  test('only admins see the images of a product that is not on sale yet', async () => {
    const future = await anImageOwner({ available_on: new Date(Date.now() + 86_400_000) });
    const { id } = (await uploadImage(`/products/${future.slug}/images`)).body;
    const paths = [`/products/${future.slug}/images`, `/variants/${future.master_id}/images`].flatMap(
      (list) => [list, `${list}/${id}`, `${list}/new`],
    );
    const admin = await anAdmin();
    for (const hidden of paths) {
      expect((await api(admin).get(hidden)).status).toBe(200);
      for (const caller of [{}, await aCustomer()]) {
        const reply = await api(caller).get(hidden);
        expect(reply.status).toBe(404);
        expect(reply.body).toEqual(NOT_FOUND);
      }
    }
  });

  test('only admins see the images of a deleted variant', async () => {
    const [id] = await uploadImages(1, variantPath);
    await testDb()('variants').where({ id: owner.variant_id }).update({ deleted_at: new Date() });

    expect((await api().get(path)).body.images).toEqual([]);
    expect((await api().get(`${path}/${id}`)).status).toBe(404);
    expect((await api().get(variantPath)).status).toBe(404);
    const admin = await anAdmin();
    expect((await api(admin).get(path)).body.images).toMatchObject([{ id }]);
    expect((await api(admin).get(variantPath)).status).toBe(404);
    expect((await api(admin).get(`${variantPath}?show_deleted=true`)).body.images).toMatchObject([{ id }]);
  });

  test('admins see the images of a deleted product with show_deleted', async () => {
    const [id] = await uploadImages(1);
    await testDb()('products').where({ id: owner.id }).update({ deleted_at: new Date() });

    const admin = await anAdmin();
    expect((await api(admin).get(path)).status).toBe(404);
    expect((await api(admin).get(`${path}?show_deleted=1`)).body.images).toMatchObject([{ id }]);
    expect((await api(admin).get(`${path}/${id}?show_deleted=1`)).status).toBe(200);
    expect((await api().get(`${path}?show_deleted=1`)).status).toBe(404);
  });

  test('an image is found only below its own product or variant', async () => {
    const [id] = await uploadImages(1);
    const other = await anImageOwner();
    const admin = await anAdmin();
    const foreign = [`/products/${other.slug}/images/${id}`, `${variantPath}/${id}`];
    for (const wrong of [...foreign, `${path}/2147483647`, `${path}/x`]) {
      expect((await api(admin).get(wrong)).body).toEqual(NOT_FOUND);
      expect((await api(admin).put(wrong, { image: { alt: 'x' } })).status).toBe(404);
      expect((await api(admin).delete(wrong)).status).toBe(404);
    }
    expect((await api(admin).get(`${path}/${id}`)).body.alt).toBeNull();
  });

  test('new returns the attributes of an image', async () => {
    const reply = await api().get(`${path}/new`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      attributes: [
        'id',
        'position',
        'attachment_content_type',
        'attachment_file_name',
        'type',
        'attachment_updated_at',
        'attachment_width',
        'attachment_height',
        'alt',
        'viewable_type',
        'viewable_id',
      ],
      required_attributes: [],
    });
  });
});

describe('updating', () => {
  test('without a file the picture stays and alt changes', async () => {
    const before = (await uploadImage(path)).body;
    const reply = await api(await anAdmin()).put(`${path}/${before.id}`, { image: { alt: 'Front' } });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ ...before, alt: 'Front' });
    const cleared = await api(await anAdmin()).patch(`${path}/${before.id}`, { alt: null });
    expect(cleared.body).toEqual(before);
  });

  test.each([
    [1, 3, [2, 3, 1]],
    [3, 1, [3, 1, 2]],
    [2, 99, [1, 3, 2]],
    [2, 2, [1, 2, 3]],
  ])('moves number %i to position %i', async (from, to, order) => {
    const ids = await uploadImages(3);
    const reply = await api(await anAdmin()).put(`${path}/${ids[from - 1]}`, { image: { position: to } });
    expect(reply.status).toBe(201);
    expect(await listPositions(path)).toEqual(order.map((number, index) => [ids[number - 1], index + 1]));
  });

  test('an image moved to another variant leaves no gap and gets a position there', async () => {
    const [first, second, third] = await uploadImages(3);
    const [there] = await uploadImages(1, variantPath);

    const reply = await api(await anAdmin()).put(`${path}/${second}`, {
      image: { viewable_id: owner.variant_id, position: 1 },
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ viewable_id: owner.variant_id, position: 1 });
    expect(await listPositions(path)).toEqual([
      [first, 1],
      [third, 2],
      [second, 1],
      [there, 2],
    ]);
  });

  test('below a variant an image can be moved back to the master', async () => {
    const [id] = await uploadImages(1, variantPath);
    const reply = await api(await anAdmin()).put(`${variantPath}/${id}`, { viewable_id: owner.master_id });
    expect(reply.status).toBe(201);
    expect(reply.body.viewable_id).toBe(owner.master_id);
    expect(await listPositions(variantPath)).toEqual([]);
  });

  test('a variant of another product returns 422 and changes nothing', async () => {
    const before = (await uploadImage(path)).body;
    const other = await anImageOwner();
    const reply = await replaceImage(`${path}/${before.id}`, {
      fields: { 'image[viewable_id]': String(other.master_id), 'image[alt]': 'x' },
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ viewable_id: ['is invalid'] }));
    expect((await api().get(`${path}/${before.id}`)).body).toEqual(before);
  });

  test('with a file the picture is replaced and gets new URLs', async () => {
    const before = (await uploadImage(path, { fields: { alt: 'Front' } })).body;
    const reply = await replaceImage(`${path}/${before.id}`, {
      bytes: await aPicture({ format: 'jpeg', width: 40, height: 30 }),
      name: 'back.jpg',
      fields: { type: 'image/jpeg' },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      id: before.id,
      alt: 'Front',
      position: 1,
      attachment_content_type: 'image/jpeg',
      attachment_file_name: 'back.jpg',
      attachment_width: 40,
      attachment_height: 30,
    });
    const version = (url: string) => Number(url.split('?')[1]);
    expect(version(reply.body.mini_url)).toBeGreaterThan(version(before.mini_url));
  });

  test('images moved concurrently have one position each', async () => {
    const ids = await uploadImages(4);
    const admin = await anAdmin();
    const moves = ids.map((id, index) =>
      api(admin).put(`${path}/${id}`, {
        image: { position: ids.length - index, viewable_id: index % 2 ? owner.variant_id : owner.master_id },
      }),
    );
    expect((await Promise.all(moves)).map((reply) => reply.status)).toEqual([201, 201, 201, 201]);
    expect((await listPositions(path)).map(([, position]) => position)).toEqual([1, 2, 1, 2]);
  });
});

describe('deleting', () => {
  test('deletes the record and closes the gap', async () => {
    const [first, second, third] = await uploadImages(3);
    const reply = await api(await anAdmin()).delete(`${path}/${second}`);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
    expect(await listPositions(path)).toEqual([
      [first, 1],
      [third, 2],
    ]);
    expect((await api(await anAdmin()).delete(`${path}/${second}`)).status).toBe(404);
  });

  test('works below a variant too', async () => {
    const [id] = await uploadImages(1, variantPath);
    expect((await api(await anAdmin()).delete(`${variantPath}/${id}`)).status).toBe(204);
    expect(await listPositions(variantPath)).toEqual([]);
  });
});

test('only admins may write', async () => {
  const [id] = await uploadImages(1);
  for (const caller of [{}, await aCustomer()]) {
    const client = api(caller);
    const replies = [
      await client.post(path, {}),
      await client.put(`${path}/${id}`, { image: { alt: 'x' } }),
      await client.delete(`${path}/${id}`),
      await client.post(variantPath, {}),
      await client.put(`${variantPath}/${id}`, { image: { alt: 'x' } }),
      await client.delete(`${variantPath}/${id}`),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(401);
      expect(reply.body).toEqual(NOT_AUTHORIZED);
    }
  }
  expect((await api().get(`${path}/${id}`)).body.alt).toBeNull();
});
