import type { Actor } from '../access/actor';

/** What catalog data is visible. Admins also see cost prices. */
export type Audience = 'admin' | 'shopper';

/** Returns the audience of an actor. Guests and customers are both shoppers. */
export function audienceOf(actor: Actor): Audience {
  return actor.kind === 'admin' ? 'admin' : 'shopper';
}
