import { z } from 'zod';
import { text } from '../../platform/http/fields';
import { UserJson } from '../users/users.schema';

/** Longer texts than any account can have are simply wrong. */
const typed = text({ max: 1000 }).required;

export const SessionCreate = z.object({ email: typed, password: typed });

export type SessionAttributes = z.output<typeof SessionCreate>;

export const SessionJson = z
  .object({
    token: z.string().meta({ description: 'Send it as `X-Store-Token`; it holds until it is revoked.' }),
    user: UserJson,
  })
  .meta({ id: 'Session' });
