import { isEventLoopBusy } from '../../platform/event-loop';
import { createSlots } from '../../platform/slots';

/**
 * The slots of product searches. A search may read much of the catalog, and more at once would take the connections
 * that other requests need.
 */
export const searchSlots = createSlots({ concurrency: 3, waiting: 100, isBusy: isEventLoopBusy });
