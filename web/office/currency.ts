import { useQuery } from '@tanstack/preact-query';
import { configQuery } from './queries';

/** Returns the currency of the catalog; empty until it is known. */
export function useCurrency(): string {
  return useQuery(configQuery).data?.currency ?? '';
}
