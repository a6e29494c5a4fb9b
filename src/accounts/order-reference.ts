import type { Ctx } from '../access/context';
import { text } from '../platform/http/fields';

/** Makes the order of a guest the order of the user of a new API token, if the request has its token. Never fails a sign-in. */
export type AssociateOnSignIn<C extends Ctx> = (ctx: C, apiToken: string, number: string) => Promise<void>;

/** The guest's order that a sign-up or sign-in takes over. The context reads the order token. */
export const orderReference = {
  order_number: text().optional.meta({
    description:
      'A guest order that becomes that of the user, with `order_token`, as `PUT /orders/:number/associate` does.',
  }),
  order_token: text({ max: 1000 }).optional.meta({ description: 'The token of that order.' }),
};
