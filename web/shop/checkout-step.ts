import { unwrap, type Order, type StoreClient, type UpdateOrderBody } from 'store-api-client';
import { useOnce } from '../shared/use-once';

/** What every step of the checkout gets. */
export interface StepProps {
  order: Order;
  /** The step that is shown: that of the order, or an earlier one. */
  step: string;
  /** The API with the token of the order. */
  store: StoreClient;
  path: { number: string };
  onChange: (order: Order) => void;
  /** Reads the order again, which may have returned to an earlier step. */
  onRefused: (error: unknown) => Promise<void>;
}

/** The request of a step. */
export interface Step {
  send: (body: UpdateOrderBody) => void;
  isPending: boolean;
  error: unknown;
}

/** Sends the part of a step. After an error the order keeps its earlier values. */
export function useStep({ order, step, store, path, onChange, onRefused }: StepProps): Step {
  // Rates are selected without a step back, which would build new shipments.
  const back = step === order.state || step === 'delivery' ? {} : { state: step };
  const { mutate, isPending, error } = useOnce({
    mutationFn: (body: UpdateOrderBody) =>
      unwrap(store.PUT('/api/v1/checkouts/{number}', { params: { path }, body: { ...body, ...back } })),
    onSuccess: onChange,
    onError: onRefused,
  });
  return { send: mutate, isPending, error };
}
