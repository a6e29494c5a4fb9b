import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  clearDefaultTax,
  countExisting,
  deleteZone,
  findZone,
  findZonePage,
  hasTaxRates,
  insertZone,
  lockZones,
  replaceZoneMembers,
  updateZone,
  type ZoneGraph,
} from './zones.repository';
import type { ZoneAttributes, ZoneChanges, ZoneMemberInput } from './zones.schema';

/** A constant number of queries, whatever the length of the list. */
export async function listZones(ctx: Ctx, list: ListQuery): Promise<Page<ZoneGraph>> {
  return findZonePage(ctx.db, list);
}

/** @throws NotFound */
export async function getZone(ctx: Ctx, id: number): Promise<ZoneGraph> {
  return loadZone(ctx.db, id);
}

async function loadZone(db: Ctx['db'], id: number): Promise<ZoneGraph> {
  const zone = await findZone(db, id);
  if (zone === undefined) throw new NotFound();
  return zone;
}

/** Makes a zone with its members. A new default tax zone takes the place of the old one. @throws InvalidResource */
export async function createZone(ctx: Ctx, attributes: ZoneAttributes): Promise<ZoneGraph> {
  return withTransaction(ctx, async (tx) => {
    const default_tax = attributes.default_tax ?? false;
    await lockZones(tx);
    if (default_tax) await clearDefaultTax(tx);
    const id = await insertZone(tx, {
      name: attributes.name,
      description: attributes.description ?? null,
      default_tax,
    });
    await setMembers(tx, id, membersOf(attributes) ?? []);
    return loadZone(tx, id);
  });
}

/** @throws NotFound, InvalidResource */
export async function changeZone(ctx: Ctx, id: number, changes: ZoneChanges): Promise<ZoneGraph> {
  return withTransaction(ctx, async (tx) => {
    await lockZones(tx);
    const zone = await loadZone(tx, id);
    const default_tax = changes.default_tax ?? zone.default_tax;
    if (default_tax && !zone.default_tax) await clearDefaultTax(tx);
    const { name, description } = changes;
    await updateZone(tx, id, { ...defined({ name, description }), default_tax });
    const members = membersOf(changes);
    if (members !== undefined) await setMembers(tx, id, members);
    return loadZone(tx, id);
  });
}

/** Removes the zone; shipping methods no longer ship there. @throws NotFound; InvalidResource while taxes use it */
export async function removeZone(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    await lockZones(tx);
    if (await hasTaxRates(tx, id)) {
      throw new InvalidResource({ base: ['Zones of tax rates cannot be deleted'] });
    }
    if ((await deleteZone(tx, id)) === 0) throw new NotFound();
  });
}

function membersOf(attributes: ZoneChanges): ZoneMemberInput[] | undefined {
  return attributes.zone_members ?? attributes.zone_members_attributes;
}

/** Gives the zone these members and no others; doubles are one. @throws InvalidResource */
async function setMembers(tx: Tx, zoneId: number, members: readonly ZoneMemberInput[]): Promise<void> {
  const idsOf = (type: ZoneMemberInput['zoneable_type']): number[] => [
    ...new Set(members.filter((one) => one.zoneable_type === type).map((one) => one.zoneable_id)),
  ];
  const countries = idsOf('Store::Country');
  const states = idsOf('Store::State');
  if (countries.length > 0 && states.length > 0) {
    throw new InvalidResource({ zone_members: ['must be either countries or states'] });
  }
  const areKnown =
    (await countExisting(tx, 'countries', countries)) === countries.length &&
    (await countExisting(tx, 'states', states)) === states.length;
  if (!areKnown) throw new InvalidResource({ zone_members: [INVALID] });
  await replaceZoneMembers(tx, zoneId, [
    ...countries.map((country_id) => ({ country_id, state_id: null })),
    ...states.map((state_id) => ({ country_id: null, state_id })),
  ]);
}
