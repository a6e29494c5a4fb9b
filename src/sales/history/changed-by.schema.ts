import { z } from 'zod';

/** Why a change was made and by whom, as the entries of the history show it. */
export const changedBy = {
  reason: z.string().describe('The action that caused the change.'),
  user: z
    .object({ id: z.int(), email: z.string().describe('The e-mail address of the account.') })
    .nullable()
    .optional()
    .describe('Who made the change; only for admins. Null for guests and for automatic changes.'),
};
