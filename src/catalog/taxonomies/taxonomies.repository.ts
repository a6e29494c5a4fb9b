import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { NEXT_POSITION } from '../append-positions.repository';
import { Taxonomy } from './taxonomies.definition';

/**
 * Taxonomies without their trees. All changes of a tree lock its taxonomy. Deleting a taxonomy deletes its tree and the
 * classifications in it. A caller that renames a taxonomy renames its root, which has the same name.
 */
export const taxonomyRecords = createRecords(Taxonomy);

/** Appends a taxonomy without a root. @returns the new id */
export async function insertTaxonomy(tx: Tx, name: string): Promise<number> {
  const last = tx('taxonomies').select(tx.raw(NEXT_POSITION));
  const rows = await tx('taxonomies').insert({ name, position: last }).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}
