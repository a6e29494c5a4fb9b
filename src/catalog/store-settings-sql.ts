/**
 * Settings of the default store as SQL subqueries, evaluated once per statement. Without a default store they return
 * the defaults of the columns.
 */

/** The currency in which prices are shown and stored. */
export const STORE_CURRENCY = `COALESCE((SELECT stores.currency FROM stores WHERE stores.is_default), 'USD')`;

/** How the store shows amounts, as JSON (`MoneyFormat`); null without a default store. */
export const STORE_MONEY_FORMAT = `(
  SELECT json_build_object('currency_display', stores.currency_display, 'currency_position', stores.currency_position,
           'decimal_mark', stores.decimal_mark, 'thousands_separator', stores.thousands_separator)
    FROM stores WHERE stores.is_default)`;

/** Whether the store tracks inventory; if not, no variant does. */
export const STORE_TRACKS_INVENTORY = `COALESCE((SELECT stores.track_inventory_levels FROM stores WHERE stores.is_default), true)`;
