import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ChangesOf } from '../../platform/resource/definition';
import type { UseCasesOf } from '../../platform/resource/use-cases';
import { findCountryIds, findStateIds } from '../addresses/resolve-places';
import { Zone, type ZoneMemberInput } from './zones.definition';
import {
  countExisting,
  defaultTaxZone,
  findZonePage,
  getZone,
  hasTaxRates,
  detachDeletedTaxRates,
  replaceZoneMembers,
  zoneRecords as rows,
  type ZoneGraph,
} from './zones.repository';

export const zones: UseCasesOf<Ctx, typeof Zone, ZoneGraph> = {
  /** Uses a constant number of queries. */
  list: (ctx, list) => findZonePage(ctx.db, list),
  get: (ctx, id) => getZone(ctx.db, id),

  /** A new default tax zone replaces the old one. */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      const values = Zone.newValues(attributes);
      await defaultTaxZone.lock(tx);
      if (values.default_tax) await defaultTaxZone.clear(tx);
      const id = await rows.insert(tx, values);
      await setMembers(tx, id, findMemberInput(attributes) ?? []);
      return getZone(tx, id);
    }),

  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      await defaultTaxZone.lock(tx);
      const zone = await rows.get(tx, id);
      if (changes.default_tax === true && !zone.default_tax) await defaultTaxZone.clear(tx);
      await rows.update(tx, id, Zone.changedValues(changes));
      const members = findMemberInput(changes);
      if (members !== undefined) await setMembers(tx, id, members);
      return getZone(tx, id);
    }),

  /** Fails while tax rates use the zone. Removes the zone from shipping methods. */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      await defaultTaxZone.lock(tx);
      if (await hasTaxRates(tx, id)) {
        throw new InvalidResource({ base: ['Zones of tax rates cannot be deleted'] });
      }
      await detachDeletedTaxRates(tx, id);
      await rows.delete(tx, id, ctx.now());
    }),
};

function findMemberInput(attributes: ChangesOf<typeof Zone>): ZoneMemberInput[] | undefined {
  return attributes.zone_members ?? attributes.zone_members_attributes;
}

/** Replaces the members of the zone. Duplicates are ignored. @throws InvalidResource */
async function setMembers(tx: Tx, zoneId: number, members: readonly ZoneMemberInput[]): Promise<void> {
  const referencesOf = (type: ZoneMemberInput['zoneable_type']) =>
    members.filter((one) => one.zoneable_type === type).map((one) => one.zoneable_id);
  const countries = unique(await findCountryIds(tx, referencesOf('Store::Country')));
  const states = unique(await findStateIds(tx, referencesOf('Store::State'), null));
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

/** Returns the ids without duplicates; unknown ones are 0, which no record has. */
function unique(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.map((id) => id ?? 0))];
}
