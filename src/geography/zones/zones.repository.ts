import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import { createSingleDefault } from '../../platform/resource/single-default';
import { Zone, type ZoneRow } from './zones.definition';

/** Deleting a zone deletes its members and removes it from shipping methods. */
export const zoneRecords = createRecords(Zone);

export const defaultTaxZone = createSingleDefault('zones', 'default_tax');

/** A country or a state. A check constraint ensures that it is exactly one of them. */
export type ZoneMemberRow = { id: number; zone_id: number; name: string } & ZoneTarget;
export type ZoneTarget = { country_id: number; state_id: null } | { country_id: null; state_id: number };

export interface ZoneGraph extends ZoneRow {
  zone_members: ZoneMemberRow[];
}

/** Finds one page of zones with their members; up to three queries. */
export async function findZonePage(db: Db, list: ListQuery): Promise<Page<ZoneGraph>> {
  const page = await zoneRecords.findPage(db, list);
  return { ...page, rows: await addMembers(db, page.rows) };
}

/** Returns a zone with its members. @throws NotFound */
export async function getZone(db: Db, id: number): Promise<ZoneGraph> {
  const zone = await zoneRecords.get(db, id);
  return { ...zone, zone_members: await listMembers(db, [id]) };
}

async function addMembers(db: Db, zones: readonly ZoneRow[]): Promise<ZoneGraph[]> {
  const members = await listMembers(
    db,
    zones.map((zone) => zone.id),
  );
  const byZone = groupBy(members, (member) => member.zone_id);
  return zones.map((zone) => ({ ...zone, zone_members: byZone.get(zone.id) ?? [] }));
}

async function listMembers(db: Db, zoneIds: readonly number[]): Promise<ZoneMemberRow[]> {
  return db('zone_members as member')
    .leftJoin('countries', 'countries.id', 'member.country_id')
    .leftJoin('states', 'states.id', 'member.state_id')
    .whereIn('member.zone_id', zoneIds)
    .orderBy('member.id')
    .select<ZoneMemberRow[]>(
      ...['member.id', 'member.zone_id', 'member.country_id', 'member.state_id'],
      db.raw('coalesce(countries.name, states.name) AS name'),
    );
}

/** Replaces the members of a zone. Those that it has already keep their ids. */
export async function replaceZoneMembers(
  tx: Tx,
  zoneId: number,
  targets: readonly ZoneTarget[],
): Promise<void> {
  const members = await listMembers(tx, [zoneId]);
  const isSame = (one: ZoneTarget, other: ZoneTarget): boolean =>
    one.country_id === other.country_id && one.state_id === other.state_id;
  const left = members.filter((member) => !targets.some((target) => isSame(member, target)));
  const added = targets.filter((target) => !members.some((member) => isSame(member, target)));
  if (left.length > 0)
    await tx('zone_members')
      .whereIn(
        'id',
        left.map(({ id }) => id),
      )
      .delete();
  if (added.length > 0)
    await tx('zone_members').insert(added.map((target) => ({ zone_id: zoneId, ...target })));
}

/** Counts the ids that exist in the table. */
export async function countExisting(
  db: Db,
  table: 'countries' | 'states',
  ids: readonly number[],
): Promise<number> {
  return (await db(table).whereIn('id', ids).select<{ id: number }[]>('id')).length;
}

/** Returns whether the zone is used by a tax rate that is not deleted. */
export async function hasTaxRates(db: Db, zoneId: number): Promise<boolean> {
  return hasRow(db('tax_rates').where({ zone_id: zoneId }).whereNull('deleted_at').select('id'));
}

/** Removes the zone from deleted tax rates, so that it can be deleted. */
export async function detachDeletedTaxRates(tx: Tx, zoneId: number): Promise<void> {
  await tx('tax_rates').where({ zone_id: zoneId }).whereNotNull('deleted_at').update({ zone_id: null });
}
