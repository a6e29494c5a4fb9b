import type { Actor } from '../../access/actor';

/**
 * Which products a caller sees (behaviour reference 5.4). Shoppers: on sale now, not deleted, priced in the store's
 * currency. Admins: future ones too, and deleted or discontinued ones where they ask for them.
 */
export interface ProductView {
  admin: boolean;
  now: Date;
  deleted: boolean;
  discontinued: boolean;
}

/** What the parameters `show_deleted` and `show_discontinued` say; they mean nothing to anybody but admins. */
export interface IncludeFlags {
  deleted?: boolean | null | undefined;
  discontinued?: boolean | null | undefined;
}

/** Who looks, and when. */
export type ViewContext = { actor: Actor; now: () => Date };

/** What the caller sees in lists. */
export function buildListView(viewer: ViewContext, too: IncludeFlags = {}): ProductView {
  const admin = viewer.actor.kind === 'admin';
  return {
    admin,
    now: viewer.now(),
    deleted: admin && too.deleted === true,
    discontinued: admin && too.discontinued === true,
  };
}

/** What the caller sees when naming one product: admins need no flag for a discontinued one. */
export function buildSingleView(viewer: ViewContext, too: IncludeFlags = {}): ProductView {
  return buildListView(viewer, { deleted: too.deleted, discontinued: true });
}
