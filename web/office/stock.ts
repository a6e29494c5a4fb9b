import { useQueryClient } from '@tanstack/preact-query';
import { useMay } from './access';
import { storesQuery } from './queries';

/** What a store begins with; for staff who may not read its settings. */
const DEFAULT_THRESHOLD = 5;

/** Returns a function that reads the count below which stock is low. */
export function useLowStock(): () => Promise<number> {
  const client = useQueryClient();
  const isKnown = useMay()('settings:read');
  return async () => {
    const stores = isKnown ? await client.fetchQuery(storesQuery) : [];
    return stores.find(({ is_default }) => is_default)?.low_stock_threshold ?? DEFAULT_THRESHOLD;
  };
}
