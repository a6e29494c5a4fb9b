import type { Knex } from 'knex';
import type { Logger } from 'pino';

/** Who sends the request. Decided once, by the authenticate step; nothing else reads token headers. */
export type Actor =
  | { kind: 'guest' }
  | { kind: 'customer'; user_id: number; email: string }
  | { kind: 'admin'; user_id: number; email: string };

/** What the program is built from; made once at start, and by tests with their own clock or storage. */
export interface Deps {
  db: Knex;
  log: Logger;
  /** The only clock of the shop. */
  now: () => Date;
}

/** What one request knows. The first argument of every service use case. */
export interface Ctx extends Deps {
  actor: Actor;
  /** The order token as presented, unverified; null when absent, empty or not a string. */
  orderToken: string | null;
  requestId: string;
}

export const GUEST: Actor = { kind: 'guest' };

export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'admin';
}

/** The caller's user id; null for guests. */
export function userIdOf(actor: Actor): number | null {
  return actor.kind === 'guest' ? null : actor.user_id;
}
