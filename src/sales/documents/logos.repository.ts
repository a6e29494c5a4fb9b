import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

/** Stores a logo by the hash of its content. Repeatable. */
export async function insertLogo(tx: Tx, hash: string, content: Buffer): Promise<void> {
  await tx('document_logos').insert({ hash, content }).onConflict('hash').ignore();
}

/** Sets the logo of a store, or none. @returns whether the store exists */
export async function setLogo(tx: Tx, storeId: number, hash: string | null): Promise<boolean> {
  return (await tx('stores').where({ id: storeId }).update({ document_logo: hash })) > 0;
}

/** Returns a logo that a document prints; null without one. */
export async function findLogo(db: Db, hash: string | null | undefined): Promise<Buffer | null> {
  if (hash == null) return null;
  const logo = await db('document_logos').where({ hash }).first<{ content: Buffer } | undefined>('content');
  return logo?.content ?? null;
}
