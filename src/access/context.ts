import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { FilledBackorders } from '../inventory/backorders';
import type { TransactionHooks, Tx } from '../platform/database/transaction';
import type { FileStorage } from '../platform/storage/storage';
import type { GatewayRegistry } from '../sales/payment-processing/gateways/registry';

/** The user who sent the request, and which of their API tokens it came with. */
interface SignedIn {
  user_id: number;
  email: string;
  token_id: number;
}

/** Who sends the request. Decided once, by the authenticate step; nothing else reads token headers. */
export type Actor = { kind: 'guest' } | ({ kind: 'customer' } & SignedIn) | ({ kind: 'admin' } & SignedIn);

/** What the program is built from; made once at start, and by tests with their own clock or storage. */
export interface Deps {
  db: Knex;
  log: Logger;
  /** The only clock of the shop. */
  now: () => Date;
  /** Where uploaded files are kept. */
  storage: FileStorage;
  /** Inventory, which does not know orders, tells whose backordered goods arrived; inside its transaction. */
  onBackordersFilled: (tx: Tx, filled: FilledBackorders) => Promise<void>;
  /** Who takes the money, by the name payment methods have for them. */
  gateways: GatewayRegistry;
  /** What order tokens are derived from; the same at every start, and on every instance. */
  secret: Buffer;
}

/** What one request knows. The first argument of every service use case. */
export interface Ctx extends Deps {
  actor: Actor;
  /** The order token as presented, unverified; null when absent, empty or not a string. */
  orderToken: string | null;
  requestId: string;
  /** The network address the request came from; as far as TRUST_PROXY says that it can be told. */
  clientAddress: string;
  /** What the request's headers add to its transactions; for `withTransaction` only. */
  transactionHooks?: TransactionHooks;
}

/** As much of it as accounts need: a tool can call their use cases without a shop around it. */
export type Caller = Pick<Ctx, 'db' | 'actor' | 'now'>;

export const GUEST: Actor = { kind: 'guest' };

/** Whether the caller may do everything; false for guests. */
export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'admin';
}

/** The caller's user id; null for guests. */
export function userIdOf(actor: Actor): number | null {
  return actor.kind === 'guest' ? null : actor.user_id;
}
