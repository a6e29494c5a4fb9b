/** SQL for the currency catalog prices are shown in: the default store's. Run once per statement, not per row. */
export const STORE_CURRENCY = '(SELECT stores.currency FROM stores WHERE stores.is_default)';
