import type { Tx } from '../../platform/database/transaction';

/** Maximum number of rows per statement. It keeps each statement well within the statement timeout. */
const BATCH = 20_000;

/**
 * Inserts an empty stock item at a new location for every variant that is not deleted. Most of them are inserted
 * without a lock. Then the variants table is locked against writes until the transaction ends, and variants created in
 * the meantime follow. Variants created later see the location.
 */
export async function insertStockItemsAt(
  tx: Tx,
  location: { id: number; backorderable_default: boolean },
): Promise<void> {
  const { id, backorderable_default } = location;
  for (let after: number | null = 0; after !== null;) {
    const inserted: { rows: { last: number | null }[] } = await tx.raw(
      `WITH inserted AS (
         INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
         SELECT CAST(:id AS integer), variants.id, CAST(:backorderable_default AS boolean) FROM variants
          WHERE variants.deleted_at IS NULL AND variants.id > :after
          ORDER BY variants.id LIMIT :batch
         RETURNING variant_id
       ) SELECT max(variant_id) AS last FROM inserted`,
      { id, backorderable_default, after, batch: BATCH },
    );
    after = inserted.rows[0]?.last ?? null;
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
