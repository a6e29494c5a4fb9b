import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { FilledBackorders } from '../inventory/backorders';
import type { Tx } from '../platform/database/transaction';
import type { FileStorage } from '../platform/storage/storage';
import type { GatewayRegistry } from '../sales/payment-processing/gateways/registry';

/** The user who sent the request, and the id of the API token used. */
interface SignedIn {
  user_id: number;
  email: string;
  token_id: number;
}

/** Who sends the request. Determined once, by `authenticate`; no other code reads the token headers. */
export type Actor = { kind: 'guest' } | ({ kind: 'customer' } & SignedIn) | ({ kind: 'admin' } & SignedIn);

/** The dependencies of the program; created once at startup. Tests pass their own clock or storage. */
export interface Deps {
  db: Knex;
  log: Logger;
  /** The current time; no other code reads the clock. */
  now: () => Date;
  /** The storage of uploaded files. */
  storage: FileStorage;
  /** Called by the inventory, inside its transaction, when arriving stock has filled backorders of orders. */
  onBackordersFilled: (tx: Tx, filled: FilledBackorders) => Promise<void>;
  /** The payment gateways by name, as stored in payment methods. */
  gateways: GatewayRegistry;
  /** The key from which order tokens are derived; the same on all instances. */
  secret: Buffer;
}

/** The context of one request. The first argument of every service use case. */
export interface Ctx extends Deps {
  actor: Actor;
  /** The received order token, not verified; null if absent, empty or not a string. */
  orderToken: string | null;
  requestId: string;
  /** The network address of the client, as determined by TRUST_PROXY. */
  clientAddress: string;
}

/** The part of the context that accounts need, so that commands can call their use cases. */
export type Caller = Pick<Ctx, 'db' | 'actor' | 'now'>;

export const GUEST: Actor = { kind: 'guest' };

/** Whether the actor is an admin. */
export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'admin';
}

/** Returns the actor's user id; null for guests. */
export function userIdOf(actor: Actor): number | null {
  return actor.kind === 'guest' ? null : actor.user_id;
}
