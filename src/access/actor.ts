/** The user who sent the request, and which of their API tokens it came with. */
interface SignedIn {
  user_id: number;
  email: string;
  token_id: number;
}

/** Who sends the request. Decided once, by the authenticate step; nothing else reads token headers. */
export type Actor = { kind: 'guest' } | ({ kind: 'customer' } & SignedIn) | ({ kind: 'admin' } & SignedIn);

export const GUEST: Actor = { kind: 'guest' };

/** Whether the caller may do everything; false for guests. */
export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'admin';
}

/** The caller's user id; null for guests. */
export function findUserId(actor: Actor): number | null {
  return actor.kind === 'guest' ? null : actor.user_id;
}
