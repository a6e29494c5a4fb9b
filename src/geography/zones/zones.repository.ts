import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { zoneSearch } from './zones.search';

export interface ZoneRow {
  id: number;
  name: string;
  description: string | null;
  default_tax: boolean;
}

/** A country or a state; the table's own check sees to it that it is exactly one. */
export type ZoneMemberRow = { id: number; zone_id: number } & ZoneTarget;
export type ZoneTarget = { country_id: number; state_id: null } | { country_id: null; state_id: number };

export interface ZoneGraph extends ZoneRow {
  zone_members: ZoneMemberRow[];
}

const COLUMNS = ['zones.id', 'zones.name', 'zones.description', 'zones.default_tax'] as const;

/** One page of zones with their members; three queries at most. */
export async function findZonePage(db: Db, list: ListQuery): Promise<Page<ZoneGraph>> {
  const matching = applyFilters(db('zones'), list, zoneSearch);
  const rows = await applySortAndPage(matching.clone().select<ZoneRow[]>(COLUMNS), list, zoneSearch);
  return pageOf(await withMembers(db, rows), await countAll(matching, rows.length, list), list);
}

/** The zone of that id with its members. */
export async function findZone(db: Db, id: number): Promise<ZoneGraph | undefined> {
  const rows = await db('zones').where({ id }).select<ZoneRow[]>(COLUMNS);
  const [zone] = await withMembers(db, rows);
  return zone;
}

async function withMembers(db: Db, zones: readonly ZoneRow[]): Promise<ZoneGraph[]> {
  const ids = zones.map((zone) => zone.id);
  const members = await db('zone_members')
    .whereIn('zone_id', ids)
    .orderBy('id')
    .select<ZoneMemberRow[]>('id', 'zone_id', 'country_id', 'state_id');
  const byZone = groupBy(members, (member) => member.zone_id);
  return zones.map((zone) => ({ ...zone, zone_members: byZone.get(zone.id) ?? [] }));
}

/** Keeps others from writing zones until the transaction ends; only then can one take over being the default. */
export async function lockZones(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE zones IN SHARE ROW EXCLUSIVE MODE');
}

/** Leaves no default tax zone: whoever calls it makes another one in the same transaction. */
export async function clearDefaultTax(tx: Tx): Promise<void> {
  await tx('zones').where({ default_tax: true }).update({ default_tax: false });
}

/** @returns the new id */
export async function insertZone(tx: Tx, zone: Omit<ZoneRow, 'id'>): Promise<number> {
  const rows = await tx('zones').insert(zone).returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** Writes the columns that are named; members are replaced by `replaceZoneMembers`. @throws zones_name_unique */
export async function updateZone(tx: Tx, id: number, patch: Partial<Omit<ZoneRow, 'id'>>): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('zones').where({ id }).update(patch);
}

/** Gives the zone exactly these members. */
export async function replaceZoneMembers(
  tx: Tx,
  zoneId: number,
  targets: readonly ZoneTarget[],
): Promise<void> {
  await tx('zone_members').where({ zone_id: zoneId }).delete();
  if (targets.length > 0) {
    await tx('zone_members').insert(targets.map((target) => ({ zone_id: zoneId, ...target })));
  }
}

/** How many of these ids are countries, or states. */
export async function countExisting(
  db: Db,
  table: 'countries' | 'states',
  ids: readonly number[],
): Promise<number> {
  return (await db(table).whereIn('id', ids).select<{ id: number }[]>('id')).length;
}

/** Whether a tax is still charged in the zone. */
export async function hasTaxRates(db: Db, zoneId: number): Promise<boolean> {
  const rate = await db('tax_rates')
    .where({ zone_id: zoneId })
    .whereNull('deleted_at')
    .first<{ id: number } | undefined>('id');
  return rate !== undefined;
}

/** Takes the members along, and the zone from shipping methods and from tax rates that are deleted already. */
export async function deleteZone(tx: Tx, id: number): Promise<number> {
  await tx('tax_rates').where({ zone_id: id }).whereNotNull('deleted_at').update({ zone_id: null });
  return tx('zones').where({ id }).delete();
}
