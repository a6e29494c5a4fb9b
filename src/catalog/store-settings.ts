/**
 * Settings of the default store as SQL, for statements about catalog rows; each runs once a statement, not once a row.
 * A store that has not been set up yet answers with the columns' own defaults.
 */

/** The currency prices are shown and written in. */
export const STORE_CURRENCY = `COALESCE((SELECT stores.currency FROM stores WHERE stores.is_default), 'USD')`;

/** Whether stock is counted at all; where it is not, no variant tracks inventory. */
export const STORE_TRACKS_INVENTORY = `COALESCE((SELECT stores.track_inventory_levels FROM stores WHERE stores.is_default), true)`;
