import { z } from 'zod';
import {
  boolean,
  choice,
  createSchema,
  list,
  longText,
  reference,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';

const MEMBER_TYPES = ['Store::Country', 'Store::State'] as const;

export const ZoneMemberJson = z
  .object({
    id: z.int(),
    zoneable_type: z.enum(MEMBER_TYPES),
    zoneable_id: z.int(),
  })
  .meta({ id: 'ZoneMember' });

export type ZoneMemberJson = z.output<typeof ZoneMemberJson>;

export const ZoneJson = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    default_tax: z
      .boolean()
      .meta({ description: 'Whether orders that lie in no zone are taxed as if they lay in this one.' }),
    zone_members: z.array(ZoneMemberJson),
  })
  .meta({ id: 'Zone' });

export type ZoneJson = z.output<typeof ZoneJson>;

const fields = { name: text({ trim: true }), description: longText(), default_tax: boolean() };

export const ZONE_ATTRIBUTES = ['id', ...Object.keys(fields), 'zone_members'];
export const ZONE_REQUIRED = ['name'] as const;

/** The class name may carry any prefix, or none, as older clients spell it. */
const withOurPrefix = (raw: unknown): unknown =>
  typeof raw === 'string' ? raw.replace(/^(\w+::)?(?=\w)/, 'Store::') : raw;

const ZoneMemberInput = z.object({
  zoneable_type: z.preprocess(withOurPrefix, choice(MEMBER_TYPES).required),
  zoneable_id: reference().required,
});

export type ZoneMemberInput = z.output<typeof ZoneMemberInput>;

const members = {
  zone_members: list(ZoneMemberInput).meta({
    description: 'Replaces the members: countries, or states, not both.',
  }),
  zone_members_attributes: list(ZoneMemberInput).meta({ description: 'The same as `zone_members`.' }),
};

export const ZoneCreate = wrapped('zone', createSchema(fields, ZONE_REQUIRED).extend(members));
export const ZoneUpdate = wrapped('zone', updateSchema(fields, ZONE_REQUIRED).extend(members));

export type ZoneAttributes = z.output<typeof ZoneCreate>['zone'];
export type ZoneChanges = z.output<typeof ZoneUpdate>['zone'];
