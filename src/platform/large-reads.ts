import { createSlots } from './slots';

/**
 * The slots of lists and reports of staff. Their searches, sorts and totals may read whole tables, and more at once would
 * take the connections and the processor of the shop.
 */
export const largeReads = createSlots({ concurrency: 2, waiting: 100, waitMs: 10_000 });
