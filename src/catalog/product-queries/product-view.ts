import type { Actor } from '../../access/actor';
import type { Db } from '../../platform/database/knex';
import type { SeenRevision } from '../../platform/http/reply-cache';

/**
 * The products that an actor may see. Shoppers see products that are available now, not
 * deleted, and priced in the currency of the store. Admins also see future products, and deleted or discontinued ones
 * on request.
 */
export interface ProductView {
  admin: boolean;
  now: Date;
  deleted: boolean;
  discontinued: boolean;
}

/** The parameters `show_deleted` and `show_discontinued`; ignored unless the actor is an admin. */
export interface IncludeFlags {
  deleted?: boolean | null | undefined;
  discontinued?: boolean | null | undefined;
}

/** Where products are read, and the revision of the catalog for which what was read may be kept. */
export interface CatalogSource {
  db: Db;
  /** See `RequestContext.revision`; without it, nothing is kept. */
  revision?: SeenRevision | undefined;
}

/** The actor and the clock of a request. */
export type ViewContext = { actor: Actor; now: () => Date };

/** Returns the view for lists. */
export function buildListView(ctx: ViewContext, include: IncludeFlags = {}): ProductView {
  const admin = ctx.actor.kind === 'admin';
  return {
    admin,
    now: ctx.now(),
    deleted: admin && include.deleted === true,
    discontinued: admin && include.discontinued === true,
  };
}

/** Returns the view for a request of one product: admins see a discontinued product without a flag. */
export function buildSingleView(ctx: ViewContext, include: IncludeFlags): ProductView {
  return buildListView(ctx, { deleted: include.deleted, discontinued: true });
}
