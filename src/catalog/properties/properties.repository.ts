import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { propertySearch } from './properties.search';

export interface PropertyRow {
  id: number;
  name: string;
  presentation: string;
}

const PROPERTY_COLUMNS = ['properties.id', 'properties.name', 'properties.presentation'] as const;

/** One page of properties; two queries at most. */
export async function findPropertyPage(db: Db, list: ListQuery): Promise<Page<PropertyRow>> {
  const matching = applyFilters(db<PropertyRow>('properties'), list, propertySearch);
  const rows = await applySortAndPage(matching.clone().select(...PROPERTY_COLUMNS), list, propertySearch);
  return pageOf(rows, await countAll(matching, rows.length, list), list);
}

/** The property of that id, else of that exact name. */
export async function findProperty(
  db: Db,
  { id, name }: { id: number | null; name: string },
): Promise<PropertyRow | undefined> {
  return db('properties')
    .where({ name })
    .orWhere({ id })
    .orderByRaw('id IS NOT DISTINCT FROM ? DESC', [id])
    .first<PropertyRow | undefined>(...PROPERTY_COLUMNS);
}

/** @throws properties_name_unique when the name is taken */
export async function insertProperty(tx: Tx, property: Omit<PropertyRow, 'id'>): Promise<PropertyRow> {
  const { name, presentation } = property;
  const rows = await tx('properties')
    .insert({ name, presentation })
    .returning<PropertyRow[]>([...PROPERTY_COLUMNS]);
  return returnedRow(rows);
}

/** @throws properties_name_unique when the name is taken */
export async function updateProperty(
  tx: Tx,
  id: number,
  patch: Partial<Omit<PropertyRow, 'id'>>,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('properties').where({ id }).update(patch);
}

/** Takes the values products have of it along. */
export async function deleteProperty(tx: Tx, id: number): Promise<void> {
  await tx('properties').where({ id }).delete();
}

/**
 * The properties of these exact names, made where missing (presentation = name). They cannot be deleted before the
 * transaction ends. A name is absent from the answer only when it was deleted at this very moment.
 */
export async function findOrCreateProperties(
  tx: Tx,
  names: readonly string[],
): Promise<Map<string, PropertyRow>> {
  if (names.length === 0) return new Map();
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
