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
export interface ShownToo {
  deleted?: boolean | null | undefined;
  discontinued?: boolean | null | undefined;
}

/** Who looks, and when. */
export type Viewer = { actor: Actor; now: () => Date };

/** What the caller sees in lists. */
export function listView(viewer: Viewer, too: ShownToo = {}): ProductView {
  const admin = viewer.actor.kind === 'admin';
  return {
    admin,
    now: viewer.now(),
    deleted: admin && too.deleted === true,
    discontinued: admin && too.discontinued === true,
  };
}

/** What the caller sees when naming one product: admins need no flag for a discontinued one. */
export function singleView(viewer: Viewer, too: ShownToo = {}): ProductView {
  return listView(viewer, { deleted: too.deleted, discontinued: true });
}
