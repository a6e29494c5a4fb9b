import { z } from 'zod';
import { AddressInput, AddressJson } from '../../geography/addresses/addresses.schema';
import { createSchema, email, names, nested, text, updateSchema, wrapped } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { orderReference } from '../order-reference';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords';

export const UserJson = z
  .object({
    id: z.int(),
    email: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    roles: z.array(z.string()).meta({ examples: [['customer']] }),
    bill_address: AddressJson.nullable(),
    ship_address: AddressJson.nullable(),
  })
  .meta({ id: 'User' });

export type UserJson = z.output<typeof UserJson>;

/** The reply to a sign-up, with an API token that is shown only once. */
export const NewUserJson = UserJson.extend({
  token: z.string().meta({ description: 'Send it as `X-Store-Token`.' }),
}).meta({ id: 'NewUser' });

/** A new password. */
export const newPassword = text({ min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH });

const fields = { email: email(), password: newPassword };

const REQUIRED = ['email', 'password'] as const;

/** Optional; the services compare it with the password. */
export const confirmation = { password_confirmation: text().optional };

const currentPassword = {
  current_password: text({ max: 1000 }).optional.meta({
    description: 'Required from users who change their own password or e-mail address.',
  }),
};

const addresses = {
  bill_address_attributes: nested(AddressInput),
  ship_address_attributes: nested(AddressInput),
  bill_address: nested(AddressInput).meta({ description: 'The same as `bill_address_attributes`.' }),
  ship_address: nested(AddressInput).meta({ description: 'The same as `ship_address_attributes`.' }),
};

/** Ignored unless the actor is a member of staff. An invalid value becomes null, which is rejected for admins only. */
const roles = {
  roles: forAdmins(
    names().optional.catch(null).meta({
      description:
        'Names of roles; replaces the current ones. For administrators only: rejected for other members of staff, ignored for customers.',
    }),
  ),
};

export const UserCreate = wrapped(
  'user',
  createSchema(fields, REQUIRED).extend({ ...confirmation, ...addresses, ...roles }),
  orderReference,
);
export const UserUpdate = wrapped(
  'user',
  updateSchema(fields, REQUIRED).extend({ ...confirmation, ...currentPassword, ...addresses, ...roles }),
);

export type UserAttributes = z.output<typeof UserCreate>['user'];
export type UserChanges = z.output<typeof UserUpdate>['user'];
