import { z } from 'zod';
import { text } from '../../platform/http/fields';
import { otp } from '../two-factor/two-factor.schema';
import { associatedOrder, orderReference } from '../order-reference';
import { UserJson } from '../users/users.schema';
import { namedObject } from '../../platform/http/named-object';
import { SESSION_TOKEN } from '../token-store/token-expiry';

/** Longer than any e-mail or password of an account. */
const credential = text({ max: 1000 }).required;

export const SessionCreate = z.object({
  email: credential.describe('The e-mail address of the account; case-insensitive.'),
  password: credential.describe('The password of the account.'),
  ...otp,
  ...orderReference,
});

export type SessionAttributes = z.output<typeof SessionCreate>;

export const SessionJson = namedObject('Session', {
  token: z.string().describe(SESSION_TOKEN),
  user: UserJson.describe('The account.'),
  ...associatedOrder,
});
