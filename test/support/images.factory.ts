import type { Response } from 'supertest';
import { asAdmin } from './accounts.factory';
import { testDb } from './database';
import { aPicture } from './pictures';
import { unique } from './unique';

/** Creates a product for images, on sale since yesterday by default, with a master and one more variant. */
export interface ImageOwner {
  id: number;
  slug: string;
  master_id: number;
  variant_id: number;
}

export async function anImageOwner(attributes: { available_on?: Date } = {}): Promise<ImageOwner> {
  const db = testDb();
  const yesterday = new Date(Date.now() - 86_400_000);
  const [category] = await db('shipping_categories')
    .insert({ name: unique('category') })
    .returning('id');
  const [product] = await db('products')
    .insert({
      name: 'Canvas Tote',
      slug: unique('canvas-tote'),
      available_on: attributes.available_on ?? yesterday,
      shipping_category_id: category.id,
    })
    .returning(['id', 'slug']);
  const [master, variant] = await db('variants')
    .insert([
      { product_id: product.id, is_master: true, position: 1 },
      { product_id: product.id, is_master: false, position: 2 },
    ])
    .returning('id');
  await db('prices').insert({ variant_id: master.id, currency: 'USD', amount: '15.99' });
  return { id: product.id, slug: product.slug, master_id: master.id, variant_id: variant.id };
}

interface Upload {
  bytes?: Buffer;
  name?: string;
  fields?: Record<string, string>;
}

/** Uploads a picture as an admin, by default a small PNG. */
export async function uploadImage(path: string, upload: Upload = {}): Promise<Response> {
  return sendPicture('post', path, upload);
}

/** Replaces a picture as an admin. */
export async function replaceImage(path: string, upload: Upload = {}): Promise<Response> {
  return sendPicture('put', path, upload);
}

async function sendPicture(method: 'post' | 'put', path: string, upload: Upload): Promise<Response> {
  const bytes = upload.bytes ?? (await aPicture({ width: 20, height: 10 }));
  const files = [{ part: 'image[attachment]', bytes, name: upload.name ?? 'picture.png' }];
  return (await asAdmin()).multipart(method, path, { files, fields: upload.fields ?? {} });
}

/** Lists the ids of the images in list order, as admins see them. */
export async function listImageIds(path: string): Promise<number[]> {
  const reply = await (await asAdmin()).get(path);
  return reply.body.images.map((image: { id: number }) => image.id);
}

/** Lists `[id, position]` of the images in list order. */
export async function listPositions(path: string): Promise<[number, number][]> {
  const reply = await (await asAdmin()).get(path);
  return reply.body.images.map((image: { id: number; position: number }) => [image.id, image.position]);
}
