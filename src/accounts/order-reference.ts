import { z } from 'zod';
import type { Ctx } from '../access/context';
import { text } from '../platform/http/fields';

/** The order that a sign-up or sign-in took over. */
export interface AssociatedOrder {
  order_number: string;
  order_token: string;
}

/**
 * Makes the order of a guest the order of the user of a new API token, if the request has its token. Never fails a sign-in.
 * Returns null if the order is not the user's afterwards.
 */
export type AssociateOnSignIn<C extends Ctx> = (
  ctx: C,
  apiToken: string,
  number: string,
) => Promise<AssociatedOrder | null>;

/** The guest's order that a sign-up or sign-in takes over. The context reads the order token. */
export const orderReference = {
  order_number: text().optional.describe(
    'A guest order that becomes that of the user, with `order_token`, as `PUT /orders/:number/associate` does.',
  ),
  order_token: text({ max: 1000 }).optional.describe(
    'The token of that order. It is replaced: the reply has the new one.',
  ),
};

/** The order that was taken over, in the replies. */
export const associatedOrder = {
  order_number: z
    .string()
    .optional()
    .describe('The number of the order that was taken over; missing if there is none.'),
  order_token: z.string().optional().describe('The new token of that order; the former one no longer works.'),
};
