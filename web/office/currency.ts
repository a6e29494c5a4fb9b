import { useQuery } from '@tanstack/preact-query';
import { useMay } from './access';
import { storesQuery } from './queries';

/** Returns the currency of the catalog; empty until it is known, and for staff who may not read the settings. */
export function useCurrency(): string {
  const { data: stores = [] } = useQuery({ ...storesQuery, enabled: useMay()('settings:read') });
  return stores.find(({ is_default }) => is_default)?.currency ?? '';
}
