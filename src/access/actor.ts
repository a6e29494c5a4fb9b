/** A user who sent a request, and the API token that identified them. */
interface SignedIn {
  user_id: number;
  email: string;
  token_id: number;
}

/** Who sends the request. Determined once, when the context is created; no other code reads tokens. */
export type Actor = { kind: 'guest' } | ({ kind: 'customer' } & SignedIn) | ({ kind: 'admin' } & SignedIn);

export const GUEST: Actor = { kind: 'guest' };

/** Returns whether the actor is an admin. */
export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'admin';
}

/** Returns the user id of the actor; null for guests. */
export function findUserId(actor: Actor): number | null {
  return actor.kind === 'guest' ? null : actor.user_id;
}
