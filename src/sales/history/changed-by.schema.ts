import { z } from 'zod';

/** Why a change was made and by whom, as the entries of the history show it. */
export const changedBy = {
  reason: z.string().meta({ description: 'The action that caused the change.' }),
  user: z
    .object({ id: z.int(), email: z.string().meta({ description: 'The e-mail address of the account.' }) })
    .nullable()
    .optional()
    .meta({
      description: 'Who made the change; only for admins. Null for guests and for automatic changes.',
    }),
};
