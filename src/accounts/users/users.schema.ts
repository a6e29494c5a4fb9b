import { z } from 'zod';
import { metadataInput, metadataReply } from '../../access/metadata';
import { AddressInput, AddressJson } from '../../geography/addresses/addresses.schema';
import { describe, email, names, nested, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { associatedOrder, orderReference } from '../order-reference';
import { vatId } from '../vat-id';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords';
import { namedObject } from '../../platform/http/named-object';
import { SESSION_TOKEN } from '../token-store/token-expiry';

export const UserJson = namedObject('User', {
  id: z.int(),
  email: z.string().describe('The e-mail address, unique and case-insensitive.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  roles: z.array(z.string()).meta({
    description: 'The names of the roles; `admin` gives all permissions.',
    examples: [['customer']],
  }),
  bill_address: AddressJson.nullable().describe(
    'The saved bill address, used for new checkouts. Null without one.',
  ),
  ship_address: AddressJson.nullable().describe(
    'The saved ship address, used for new checkouts. Null without one.',
  ),
  vat_id: z
    .string()
    .nullable()
    .describe('The VAT id, for the invoices of orders without an own one. Null without one.'),
  ...metadataReply,
});

export type UserJson = z.output<typeof UserJson>;

/** The authenticated user, with what a client may offer. */
export const OwnUserJson = UserJson.extend({
  scopes: z.array(z.string()).meta({
    description:
      'What the user may do as a member of staff with this token; `*` for everything, empty for customers. `write` includes `read`.',
    examples: [['orders:write', 'customers:read']],
  }),
}).meta({ id: 'OwnUser' });

export type OwnUserJson = z.output<typeof OwnUserJson>;

/** The reply to a sign-up, with an API token that is shown only once. */
export const NewUserJson = UserJson.extend({
  token: z.string().describe(SESSION_TOKEN),
  ...associatedOrder,
}).meta({ id: 'NewUser' });

/** A new password. */
export const newPassword = describe(
  text({ min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
  'The password: not one of the 10,000 most common ones, nor only words of the name and address of the shop, of the e-mail address or a short list. An update with it revokes every other token of the user.',
);

const fields = {
  email: describe(
    email(),
    'The e-mail address, unique and case-insensitive. Without invisible characters and letters that look like letters of another script.',
  ),
  password: newPassword,
};

const profile = { vat_id: vatId };

const REQUIRED = ['email', 'password'] as const;

/** Optional; the services compare it with the password. */
export const confirmation = {
  password_confirmation: text().optional.describe('The password again. Optional; must match if present.'),
};

const currentPassword = {
  current_password: text({ max: 1000 }).optional.describe(
    'Required from users who change their own password or e-mail address.',
  ),
};

const addresses = {
  bill_address_attributes: nested(AddressInput).describe(
    'The bill address to save. Omitted fields keep their value.',
  ),
  ship_address_attributes: nested(AddressInput).describe(
    'The ship address to save. Omitted fields keep their value.',
  ),
  bill_address: nested(AddressInput).describe('The same as `bill_address_attributes`.'),
  ship_address: nested(AddressInput).describe('The same as `ship_address_attributes`.'),
};

/** Ignored unless the actor is a member of staff. An invalid value becomes null, which is rejected for admins only. */
const roles = {
  roles: forAdmins(
    names()
      .optional.catch(null)
      .describe(
        'Names of roles; replaces the current ones. For administrators only: rejected for other members of staff, ignored for customers.',
      ),
  ),
};

export const UserCreate = wrapped(
  'user',
  createSchema(fields, REQUIRED).extend({
    ...confirmation,
    ...profile,
    ...addresses,
    ...roles,
    ...metadataInput,
  }),
  orderReference,
);
export const UserUpdate = wrapped(
  'user',
  updateSchema(fields, REQUIRED).extend({
    ...confirmation,
    ...currentPassword,
    ...profile,
    ...addresses,
    ...roles,
    ...metadataInput,
  }),
);

export type UserAttributes = z.output<typeof UserCreate>['user'];
export type UserChanges = z.output<typeof UserUpdate>['user'];
