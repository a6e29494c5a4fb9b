import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { FileStorage } from '../platform/storage/storage';
import type { Actor } from './actor';

/** What every part of the program is built from. Inventory and sales extend it with their own parts. */
export interface Deps {
  db: Knex;
  log: Logger;
  /** The current time; no other code reads the clock. */
  now: () => Date;
  /** The storage of uploaded files. */
  storage: FileStorage;
}

/** What every use case knows about its request. Its first argument; inventory and sales extend it. */
export interface Ctx extends Deps {
  actor: Actor;
  /** The order token as sent, not verified; null when it is missing, empty or not a string. */
  orderToken: string | null;
  requestId: string;
  /** The network address of the client, as far as TRUST_PROXY lets it be determined. */
  clientAddress: string;
}

/** The part of the context that accounts need, so that a command line tool can call their use cases. */
export type AccountsCtx = Pick<Ctx, 'db' | 'actor' | 'now'>;

/** Who asks for an order: the signed-in user, and the order token that came with the request. */
export type OrderCredentials = Pick<Ctx, 'actor' | 'orderToken'>;
