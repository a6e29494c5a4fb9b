import { useMutation } from '@tanstack/preact-query';
import { unwrap, type Order, type StoreClient, type UpdateOrderBody } from 'store-api-client';
import { readMessages, type Messages } from '../shared/messages';

/** What every step of the checkout gets. */
export interface StepProps {
  order: Order;
  /** The API with the token of the order. */
  store: StoreClient;
  path: { number: string };
  onChange: (order: Order) => void;
}

const NONE: Messages = { fields: {}, summary: '' };

/** Sends the part of a step. `messages` say what was refused; what was valid stays with the order. */
export function useStep({ store, path, onChange }: StepProps) {
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: (body: UpdateOrderBody) =>
      unwrap(store.PUT('/api/v1/checkouts/{number}', { params: { path }, body })),
    onSuccess: onChange,
  });
  return { send: mutate, isPending, isError, messages: isError ? readMessages(error) : NONE };
}
