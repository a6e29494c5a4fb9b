import type { Ctx, Deps } from '../../access/context';
import { BLANK, INVALID, InvalidResource, requireFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { UploadedFile } from '../../platform/http/upload';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { getVisibleProduct } from '../product-queries/product-lookup';
import { buildSingleView, type IncludeFlags } from '../product-queries/product-view';
import { buildImageFileName } from './image-file-name';
import { placeImage } from './image-order';
import { removeUnreferencedImage, storeImage, type StoredImage } from './image-storage';
import { Image, type ImageRow } from './images.definition';
import {
  findImageIdsOfVariant,
  findImageOfOwner,
  findImagesOfOwner,
  findProductIdOfVariant,
  findVariantIdOfProduct,
  imageRecords as rows,
  lockImagesOfProduct,
  updateImagePositions,
  type ImageOwner,
} from './images.repository';
import type { ImageAttributes, ImageOwnerPath } from './images.schema';

/**
 * Returns the product or variant of a path. Only admins see the images of deleted variants.
 * @throws NotFound if the actor may not see it
 */
export async function getImageOwner(
  ctx: Ctx,
  path: ImageOwnerPath,
  include: IncludeFlags = {},
): Promise<ImageOwner> {
  const deleted_variants = ctx.actor.kind === 'admin';
  if ('product_id' in path) {
    const product = await getVisibleProduct(ctx, path.product_id, include);
    return { product_id: product.id, variant_id: null, deleted_variants };
  }
  const product_id = requireFound(
    await findProductIdOfVariant(ctx.db, buildSingleView(ctx, include), path.variant_id),
  );
  return { product_id, variant_id: path.variant_id, deleted_variants };
}

/** Returns all images of the owner; image lists have no pages. */
export async function listImages(ctx: Ctx, owner: ImageOwner, list: ListQuery): Promise<ImageRow[]> {
  return findImagesOfOwner(ctx.db, owner, list);
}

/** Returns an image. @throws NotFound also if it belongs to another owner */
export async function getImage(ctx: Ctx, owner: ImageOwner, id: number): Promise<ImageRow> {
  return getRow(ctx.db, owner, id);
}

async function getRow(db: Deps['db'], owner: ImageOwner, id: number): Promise<ImageRow> {
  return requireFound(await findImageOfOwner(db, owner, id));
}

/**
 * Creates an image of the variant `viewable_id`; defaults to the variant of the path, or to the master. Appends it
 * unless a position is given. The files are stored first, and removed again if the row cannot be written.
 * @throws InvalidResource if the file is missing or invalid, or the variant belongs to another product
 */
export async function createImage(
  ctx: Ctx,
  owner: ImageOwner,
  { file, attributes }: { file: UploadedFile | null; attributes: ImageAttributes },
): Promise<ImageRow> {
  if (file === null) throw new InvalidResource({ attachment: [BLANK] });
  const stored = await storeImage(ctx.storage, { path: file.path });
  return withFileCleanup(ctx, stored, () =>
    withTransaction(ctx, async (tx) => {
      await lockImagesOfProduct(tx, owner.product_id);
      const variant_id = await requireVariant(tx, owner, attributes.viewable_id ?? owner.variant_id);
      const attachment = buildAttachment(stored, file.original_name, ctx.now());
      const { position, ...image } = { ...Image.newValues(attributes), ...attachment };
      const id = await rows.append(tx, image, { variant_id });
      if (position !== undefined) await placeAt(tx, { id, variant_id }, position);
      return getRow(tx, owner, id);
    }),
  );
}

/**
 * Updates the attributes and the position of an image, and replaces its file if one is given. The replaced files are
 * removed after the commit.
 * @throws NotFound, InvalidResource as `createImage`
 */
export async function updateImage(
  ctx: Ctx,
  { owner, id }: { owner: ImageOwner; id: number },
  { file, attributes }: { file: UploadedFile | null; attributes: ImageAttributes },
): Promise<ImageRow> {
  await getRow(ctx.db, owner, id);
  const stored = file === null ? null : await storeImage(ctx.storage, { path: file.path });
  const change = () =>
    withTransaction(ctx, async (tx) => {
      await lockImagesOfProduct(tx, owner.product_id);
      const before = await getRow(tx, owner, id);
      const viewable = attributes.viewable_id ?? null;
      const variant_id = viewable === null ? before.variant_id : await requireVariant(tx, owner, viewable);
      await rows.update(tx, id, {
        ...omitUndefined({ alt: attributes.alt }),
        ...(file !== null &&
          stored !== null &&
          buildAttachment(
            stored,
            file.original_name,
            calculateUpdateTime(before.attachment_updated_at, ctx.now()),
          )),
        variant_id,
      });
      await moveImage(tx, before, { variant_id, position: attributes.position ?? null });
      return { before, after: await getRow(tx, { ...owner, variant_id: null }, id) };
    });
  const { before, after } = await (stored === null ? change() : withFileCleanup(ctx, stored, change));
  if (stored !== null) await removeUnreferencedImage(ctx, before.storage_key);
  return after;
}

/**
 * Deletes an image, closes the gap in the positions, and removes its files after the commit.
 * @throws NotFound
 */
export async function deleteImage(ctx: Ctx, owner: ImageOwner, id: number): Promise<void> {
  const deleted = await withTransaction(ctx, async (tx) => {
    await lockImagesOfProduct(tx, owner.product_id);
    const image = await getRow(tx, owner, id);
    await rows.delete(tx, id, ctx.now());
    await updateImagePositions(tx, await findImageIdsOfVariant(tx, image.variant_id));
    return image;
  });
  await removeUnreferencedImage(ctx, deleted.storage_key);
}

/** Updates the positions of an image whose row already has its new variant, and closes the gap in the old one. */
async function moveImage(
  tx: Tx,
  before: ImageRow,
  to: { variant_id: number; position: number | null },
): Promise<void> {
  const isElsewhere = to.variant_id !== before.variant_id;
  if (isElsewhere) await updateImagePositions(tx, await findImageIdsOfVariant(tx, before.variant_id));
  if (isElsewhere || to.position !== null)
    await placeAt(tx, { id: before.id, variant_id: to.variant_id }, to.position);
}

async function placeAt(
  tx: Tx,
  image: { id: number; variant_id: number },
  position: number | null,
): Promise<void> {
  const ids = await findImageIdsOfVariant(tx, image.variant_id);
  const others = ids.filter((id) => id !== image.id);
  await updateImagePositions(tx, placeImage(others, image.id, position));
}

async function requireVariant(tx: Tx, owner: ImageOwner, viewableId: number | null): Promise<number> {
  const id = await findVariantIdOfProduct(tx, owner.product_id, viewableId);
  if (id === undefined) throw new InvalidResource({ viewable_id: [INVALID] });
  return id;
}

function buildAttachment(stored: StoredImage, originalName: string, now: Date) {
  return {
    attachment_content_type: stored.content_type,
    attachment_file_name: buildImageFileName(originalName, stored.content_type),
    attachment_width: stored.width,
    attachment_height: stored.height,
    attachment_updated_at: now,
    storage_key: stored.storage_key,
  };
}

/** Image versions count seconds and their URLs are immutable, so each replacement needs a later second. */
function calculateUpdateTime(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1000));
}

/** Runs `work`, which saves a row for the stored files, and removes the files if it fails. */
async function withFileCleanup<T>(ctx: Ctx, stored: StoredImage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await removeUnreferencedImage(ctx, stored.storage_key);
    throw error;
  }
}
