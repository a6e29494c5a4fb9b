import type { Tx } from '../../platform/database/transaction';

export interface PropertyRow {
  id: number;
  name: string;
  presentation: string;
}

/**
 * The properties of these exact names, made where missing (presentation = name). They cannot be deleted before the
 * transaction ends. A name is absent from the answer only when it was deleted at this very moment.
 */
export async function findOrCreateProperties(
  tx: Tx,
  names: readonly string[],
): Promise<Map<string, PropertyRow>> {
  // In one order for everybody, so that two requests never wait for each other's new names.
  const sorted = [...new Set(names)].sort();
  await tx.raw(
    `INSERT INTO properties (name, presentation)
     SELECT given.name, given.name FROM unnest(?::text[]) AS given (name)
     WHERE NOT EXISTS (SELECT 1 FROM properties WHERE properties.name = given.name)
     ON CONFLICT ON CONSTRAINT properties_name_unique DO NOTHING`,
    [sorted],
  );
  const { rows } = await tx.raw<{ rows: PropertyRow[] }>(
    'SELECT id, name, presentation FROM properties WHERE name = ANY(?::text[]) ORDER BY id FOR KEY SHARE',
    [sorted],
  );
  return new Map(rows.map((row) => [row.name, row]));
}
