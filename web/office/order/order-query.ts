import { queryOptions } from '@tanstack/preact-query';
import { unwrap, type Order } from 'store-api-client';
import { store } from '../office';

/** An order, and the version of it that is shown: changes send it and fail if another tab was quicker. */
export interface ShownOrder {
  order: Order;
  version: string;
}

export const orderQuery = (number: string) =>
  queryOptions({
    queryKey: ['order', number],
    queryFn: async (): Promise<ShownOrder> => {
      const reply = await store.GET('/api/v1/orders/{number}', { params: { path: { number } } });
      return {
        order: await unwrap(Promise.resolve(reply)),
        version: reply.response.headers.get('ETag') ?? '*',
      };
    },
  });
