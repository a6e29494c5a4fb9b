import { queryOptions } from '@tanstack/preact-query';
import type { Order } from 'store-api-client';
import { store } from '../office';
import { unwrapVersioned } from '../parts/requests';

/** An order, and the version of it that is shown: changes send it and fail if another tab was quicker. */
export interface ShownOrder {
  order: Order;
  version: string;
}

export const orderQuery = (number: string) =>
  queryOptions({
    queryKey: ['order', number],
    queryFn: async (): Promise<ShownOrder> => {
      const { record, version } = await unwrapVersioned(
        store.GET('/api/v1/orders/{number}', { params: { path: { number } } }),
      );
      return { order: record, version };
    },
  });
