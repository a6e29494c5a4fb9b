import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { createRecords } from '../../platform/resource/records';
import { requireUndeleted } from '../require-undeleted';
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
 * before the transaction ends.
 * @returns a look-up of their ids. @throws Conflict for one that is being deleted
 */
export async function findOrCreateProperties(
  tx: Tx,
  names: readonly string[],
): Promise<(name: string) => number> {
  const ids = new Map<string, number>();
  const idOf = (name: string) => requireUndeleted(ids.get(name), `property ${name}`);
  if (names.length === 0) return idOf;
  // Sorted, so that concurrent requests insert in the same order and cannot deadlock.
  const sorted = [...new Set(names)].sort();
  await tx.raw(
    `INSERT INTO properties (name, presentation)
     SELECT given.name, given.name FROM unnest(?::text[]) AS given (name)
     WHERE NOT EXISTS (SELECT 1 FROM properties WHERE properties.name = given.name)
     ON CONFLICT ON CONSTRAINT properties_name_unique DO NOTHING`,
    [sorted],
  );
  const { rows } = await tx.raw<{ rows: { id: number; name: string }[] }>(
    'SELECT id, name FROM properties WHERE name = ANY(?::text[]) ORDER BY id FOR KEY SHARE',
    [sorted],
  );
  for (const { name, id } of rows) ids.set(name, id);
  return idOf;
}
