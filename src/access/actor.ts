import { coversScope, EVERYTHING, intersectGrants, isEverything, type Grants } from './scopes';

/** The user of an API token, and what the user and the token may do. */
export interface TokenHolder {
  user_id: number;
  email: string;
  token_id: number;
  token_name: string;
  /** What the roles of the user grant: `*` for the role `admin`, nothing for customers. */
  roleGrants: Grants;
  /** What the token is limited to; `*` for no limits. */
  tokenGrants: Grants;
  /** Whether the store requires a second factor of this member of staff, who has signed in without one. */
  lacksTwoFactor?: boolean;
}

/** A user who sent a request, and the API token that identified them. */
interface SignedIn {
  user_id: number;
  email: string;
  token_id: number;
  token_name: string;
  /** The scopes that the user has as a member of staff and that the token does not exclude. `*` for administrators. */
  grants: Grants;
  /** What the token is limited to; `*` for no limits. */
  tokenGrants: Grants;
  /** Whether a role of the user grants scopes, also those that the token excludes. */
  isStaff: boolean;
}

/**
 * Who sends the request, as far as its endpoint is concerned. An admin is a member of staff with the scope of the
 * endpoint; without it, members of staff are customers. Determined once, when the context is created; no other code
 * reads tokens.
 */
export type Actor =
  | {
      kind: 'guest';
      /** Whether the request has a token that does not include the scope of the endpoint. */
      isOutOfScope?: true;
    }
  | ({ kind: 'customer' } & SignedIn)
  | ({ kind: 'admin' } & SignedIn);

/** The token id of an actor without a request, such as the command line. */
export const NO_TOKEN = 0;

export const GUEST: Actor = { kind: 'guest' };

/**
 * Returns the actor of a part of the program that may do everything, for a user if one asked for the work. Without a user, the
 * id belongs to no user: no row may refer to it.
 */
export function buildProgramActor(user_id: number | null = null): Actor {
  const grants = [EVERYTHING];
  return {
    kind: 'admin',
    user_id: user_id ?? 0,
    email: '',
    token_id: NO_TOKEN,
    token_name: '',
    grants,
    tokenGrants: grants,
    isStaff: true,
  };
}

/** Returns the actor that the holder of a token is for an endpoint with this scope. */
export function buildActor(holder: TokenHolder, scope: string): Actor {
  const { user_id, email, token_id, token_name, roleGrants, tokenGrants } = holder;
  if (!coversScope(tokenGrants, scope)) return { kind: 'guest', isOutOfScope: true };
  const grants = intersectGrants(roleGrants, tokenGrants);
  const kind = grants.length > 0 && coversScope(grants, scope) ? 'admin' : 'customer';
  const isStaff = roleGrants.length > 0;
  return { kind, user_id, email, token_id, token_name, grants, tokenGrants, isStaff };
}

/** Returns whether the actor may use the endpoint as a member of staff. */
export function isAdmin(actor: Actor): actor is Extract<Actor, { kind: 'admin' }> {
  return actor.kind === 'admin';
}

/**
 * Returns whether the actor is an administrator with a token without limits. Only such actors manage roles and the
 * tokens and passwords of others.
 */
export function isFullAdmin(actor: Actor): boolean {
  return actor.kind === 'admin' && isEverything(actor.grants);
}

/** Returns whether the actor has the scope as a member of staff, also if it is not the scope of the endpoint. */
export function hasScope(actor: Actor, scope: string): boolean {
  return actor.kind !== 'guest' && actor.grants.length > 0 && coversScope(actor.grants, scope);
}

/** Returns whether the actor has a token with only some of its user's permissions. */
export function hasLimitedToken(actor: Actor): boolean {
  return actor.kind !== 'guest' && !isEverything(actor.tokenGrants);
}

/** Returns the user id of the actor; null for guests. */
export function findUserId(actor: Actor): number | null {
  return actor.kind === 'guest' ? null : actor.user_id;
}
