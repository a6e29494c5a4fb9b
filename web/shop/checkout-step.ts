import { useMutation } from '@tanstack/preact-query';
import { unwrap, type Order, type StoreClient, type UpdateOrderBody } from 'store-api-client';

/** What every step of the checkout gets. */
export interface StepProps {
  order: Order;
  /** The API with the token of the order. */
  store: StoreClient;
  path: { number: string };
  onChange: (order: Order) => void;
}

/** The request of a step. */
export interface Step {
  send: (body: UpdateOrderBody) => void;
  isPending: boolean;
  error: unknown;
}

/** Sends the part of a step. After an error the order keeps its earlier values. */
export function useStep({ store, path, onChange }: StepProps): Step {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: UpdateOrderBody) =>
      unwrap(store.PUT('/api/v1/checkouts/{number}', { params: { path }, body })),
    onSuccess: onChange,
  });
  return { send: mutate, isPending, error };
}
