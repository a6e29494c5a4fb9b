import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { createRecords } from '../../platform/resource/records';
import { Property, type PropertyRow } from './properties.definition';

/** Deleting a property deletes its values for products. */
export const propertyRecords = createRecords(Property);

/** Returns the property with that id, or else the one with that exact name. */
export async function findProperty(db: Db, { id, name }: IdOrName): Promise<PropertyRow | undefined> {
  return db('properties')
    .where({ name })
    .orWhere({ id })
    .orderByRaw('id IS NOT DISTINCT FROM ? DESC', [id])
    .first<PropertyRow | undefined>([...Property.columns]);
}

/**
 * Finds the properties with these exact names and creates missing ones (presentation = name). They cannot be deleted
 * before the transaction ends. A name is absent from the result only if its property is being deleted concurrently.
 */
export async function findOrCreateProperties(
  tx: Tx,
  names: readonly string[],
): Promise<Map<string, PropertyRow>> {
  if (names.length === 0) return new Map();
  // Sorted, so that concurrent requests insert in the same order and cannot deadlock.
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
