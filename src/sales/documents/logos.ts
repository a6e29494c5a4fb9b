import { createHash } from 'node:crypto';
import type { Ctx } from '../context';
import { findStores } from '../../accounts/stores/stores.repository';
import { loadSharp } from '../../catalog/images/load-sharp';
import { withTransaction } from '../../platform/database/transaction';
import { BLANK, INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { insertLogo, setLogo } from './logos.repository';

/** Twice the size at which documents print it, in points. */
const BOX = { width: 720, height: 240 };
const MAX_PIXELS = 20_000_000;
const TIMEOUT_SECONDS = 5;

/**
 * Sets the logo that documents of a store print from now on; those that exist keep theirs.
 * @throws NotFound; InvalidResource if the file is missing, damaged or no JPEG, PNG or GIF
 */
export async function changeLogo(ctx: Ctx, storeId: number, file: { path: string } | null): Promise<void> {
  if (file === null) throw new InvalidResource({ logo: [BLANK] });
  const content = await renderLogo(file.path);
  const hash = createHash('sha256').update(content).digest('hex');
  await withTransaction(ctx, async (tx) => {
    await insertLogo(tx, hash, content);
    if (!(await setLogo(tx, storeId, hash))) throw new NotFound();
  });
}

/** Removes the logo of a store. Repeatable. @throws NotFound */
export async function removeLogo(ctx: Ctx, storeId: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if (!(await setLogo(tx, storeId, null))) throw new NotFound();
  });
}

/** Checks that the store exists. @throws NotFound */
export async function requireStore(ctx: Ctx, id: number): Promise<void> {
  if (!(await findStores(ctx.db)).some((store) => store.id === id)) throw new NotFound();
}

/** Renders the file as PNG in the size of documents, on white: archivable PDFs must not be transparent. */
async function renderLogo(path: string): Promise<Buffer> {
  const sharp = await loadSharp();
  try {
    return await sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true })
      .resize(BOX.width, BOX.height, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .png({ compressionLevel: 9 })
      .toBuffer();
  } catch {
    throw new InvalidResource({ logo: [INVALID] });
  }
}
