import type { Actor } from '../access/actor';

/** For whom a catalog record is spelled: admins also see what an article costs the shop. */
export type Audience = 'admin' | 'shopper';

/** Guests and customers are shown the same. */
export function audienceOf(actor: Actor): Audience {
  return actor.kind === 'admin' ? 'admin' : 'shopper';
}
