import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Author, TransactionHooks } from '../platform/database/transaction';
import type { SeenRevision } from '../platform/http/reply-cache';
import type { RateLimits } from '../platform/rate-limits';
import type { Mailer } from '../platform/mail/mailer';
import type { FileStorage } from '../platform/storage/storage';
import type { Actor } from './actor';

/** The dependencies of the whole program. Inventory and sales extend them. */
export interface Deps {
  db: Knex;
  log: Logger;
  /** The current time; no other code reads the clock. */
  now: () => Date;
  /** The storage of uploaded files. */
  storage: FileStorage;
  /** The limits of attempts (limits.ts). */
  limits: RateLimits;
  /** Who makes changes, for the audit log; set for jobs, the command line and the requests of staff. */
  author?: Author | undefined;
  mailer: Mailer;
  /** The key that order tokens are derived from and secrets are encrypted with. It is the same at every start and on every instance. */
  secret: Buffer;
  /** Whether webhooks may lead into private networks. Defaults to false. */
  allowsPrivateWebhooks?: boolean;
}

/** The context of a request, the first argument of every use case. Inventory and sales extend it. */
export interface Ctx extends Deps {
  actor: Actor;
  /** The order token as sent, not verified; null when it is missing, empty or not a string. */
  orderToken: string | null;
  requestId: string;
  /** The network address of the client, as far as TRUST_PROXY lets it be determined. */
  clientAddress: string;
  /** What the headers of the request add to its transactions. Only `withTransaction` reads it. */
  transactionHooks?: TransactionHooks | undefined;
  /** The revision of the catalog that a cached read has seen (`RequestContext`). */
  revision?: SeenRevision | undefined;
  /** Notes costs for shoppers that do not follow from the request alone (`RequestContext`). */
  noteCost?: ((points: number) => void) | undefined;
}

/** The part of the context that accounts need, so that command line tools can call their use cases. */
export type AccountsCtx = Pick<Ctx, 'db' | 'actor' | 'now' | 'author'>;

/** What gives access to an order: the actor, and the order token of the request. Large orders note their cost. */
export type OrderCredentials = Pick<Ctx, 'actor' | 'orderToken' | 'noteCost'>;
