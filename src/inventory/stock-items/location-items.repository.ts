import type { Tx } from '../../platform/database/transaction';

/** Rows a statement writes at most: each stays well within the statement time-out, however large the catalogue is. */
const BATCH = 20_000;

/**
 * Gives every variant that is not deleted an empty stock item at a new location. Most are made without holding anybody
 * up. Then variants may not be written until the transaction ends, and those that came in the meantime follow: whoever
 * makes a variant later sees the location.
 */
export async function insertStockItemsAt(
  tx: Tx,
  location: { id: number; backorderable_default: boolean },
): Promise<void> {
  const { id, backorderable_default } = location;
  for (let after: number | null = 0; after !== null;) {
    const made: { rows: { last: number | null }[] } = await tx.raw(
      `WITH made AS (
         INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
         SELECT CAST(:id AS integer), variants.id, CAST(:backorderable_default AS boolean) FROM variants
          WHERE variants.deleted_at IS NULL AND variants.id > :after
          ORDER BY variants.id LIMIT :batch
         RETURNING variant_id
       ) SELECT max(variant_id) AS last FROM made`,
      { id, backorderable_default, after, batch: BATCH },
    );
    after = made.rows[0]?.last ?? null;
  }
  await tx.raw('LOCK TABLE variants IN SHARE MODE');
  await tx.raw(
    `INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
     SELECT CAST(:id AS integer), variants.id, CAST(:backorderable_default AS boolean) FROM variants
      WHERE variants.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM stock_items
                         WHERE stock_items.stock_location_id = :id AND stock_items.variant_id = variants.id)`,
    { id, backorderable_default },
  );
}

/** Marks the location's stock items deleted, locking them by id ascending. Their counts stay what their history says. */
export async function deleteStockItemsAt(tx: Tx, locationId: number, now: Date): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH;) {
    const { rowCount } = await tx.raw<{ rowCount: number }>(
      `WITH batch AS (
         SELECT id FROM stock_items WHERE stock_location_id = ? AND deleted_at IS NULL
          ORDER BY id LIMIT ? FOR UPDATE
       )
       UPDATE stock_items SET deleted_at = ? FROM batch WHERE stock_items.id = batch.id`,
      [locationId, BATCH, now],
    );
    deleted = rowCount;
  }
}
