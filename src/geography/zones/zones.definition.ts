import { z } from 'zod';
import { choice, describe, idOrName, list } from '../../platform/http/fields';
import { boolean, longText, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';
import { namedObject } from '../../platform/http/named-object';

const MEMBER_TYPES = ['Store::Country', 'Store::State'] as const;

const ZoneMemberJson = namedObject('ZoneMember', {
  id: z.int(),
  zoneable_type: z.enum(MEMBER_TYPES),
  zoneable_id: z.int(),
  name: z.string().describe('The name of the country or state.'),
});

export type ZoneMemberJson = z.output<typeof ZoneMemberJson>;

/** Accepts any class prefix or none, for older clients. */
const normalizeMemberType = (raw: unknown): unknown =>
  typeof raw === 'string' ? raw.replace(/^(\w+::)?(?=\w)/, 'Store::') : raw;

const ZoneMemberInput = z.object({
  zoneable_type: z.preprocess(normalizeMemberType, choice(MEMBER_TYPES).required),
  zoneable_id: describe(
    idOrName(),
    'The id, the ISO code or abbreviation (`"US"`, `"US-ME"`), or the name of the country or state.',
  ).required,
});

export type ZoneMemberInput = z.output<typeof ZoneMemberInput>;

/** A set of countries or states, which determines taxes and shipping methods. At most one is the default tax zone. */
export const Zone = defineResource({
  table: 'zones',
  name: 'zone',
  schema: 'Zone',
  deletion: 'hard',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name of the zone, for admins.',
    },
    description: {
      type: longText(),
      nullable: true,
      search: true,
      description: 'A note for admins. Null without one.',
    },
    default_tax: {
      type: boolean(),
      default: false,
      description: 'Whether this zone determines the taxes of orders outside all zones.',
    },
    zone_members: {
      reply: z.array(ZoneMemberJson),
      input: list(ZoneMemberInput).describe('Replaces the members: either countries or states.'),
      listed: true,
      description: 'The countries or states of the zone.',
    },
    zone_members_attributes: {
      input: list(ZoneMemberInput).describe('Same as `zone_members`.'),
    },
  },
  search: { baseOrder: ['zones.name ASC'] },
});

export type ZoneRow = RowOf<typeof Zone>;
export type ZoneJson = JsonOf<typeof Zone>;
