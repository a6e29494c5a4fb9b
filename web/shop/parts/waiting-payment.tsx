import { useMutation, useQuery } from '@tanstack/preact-query';
import { unwrap, type Order } from 'store-api-client';
import { describeError } from '../../shared/messages';
import type { StepProps } from '../checkout-step';

type Payment = Order['payments'][number];

const POLL_MS = 3000;

/** The payment of an order that waits for its buyer or the provider; undefined if none does. */
export const findWaiting = ({ payments }: Order): Payment | undefined =>
  payments.findLast(({ state }) => state === 'processing');

/** Guides the buyer through the confirmation that the bank requires, and polls for the result of the provider. */
export function WaitingPayment({ payment, store, path, onChange }: StepProps & { payment: Payment }) {
  const action = payment.requires_action ?? null;
  const read = async (): Promise<Order> => {
    const order = await unwrap(store.GET('/api/v1/orders/{number}', { params: { path } }));
    onChange(order);
    return order;
  };
  useQuery({
    queryKey: ['waiting', payment.id],
    queryFn: read,
    refetchInterval: POLL_MS,
    enabled: action === null,
  });
  const params = { path: { ...path, id: payment.id } };
  const confirm = useMutation({
    mutationFn: () => unwrap(store.PUT('/api/v1/orders/{number}/payments/{id}/confirm_action', { params })),
    onSettled: read,
  });
  const giveUp = useMutation({
    mutationFn: () => unwrap(store.PUT('/api/v1/orders/{number}/payments/{id}/cancel_action', { params })),
    onSettled: read,
  });
  const isBusy = confirm.isPending || giveUp.isPending;
  const error = confirm.error ?? giveUp.error;
  return (
    <div class="notice" role="status">
      <p>
        {action === null
          ? 'Your bank has not decided yet. Your items are reserved; this page shows the result.'
          : 'Your bank requires you to confirm the payment. Your items are reserved meanwhile.'}
      </p>
      {action?.redirect_url != null && (
        <p>
          <a href={action.redirect_url} target="_blank" rel="noreferrer" class="button-quiet">
            Open the page of the bank
          </a>
        </p>
      )}
      {action !== null && (
        <p>
          <button type="button" class="button wide" disabled={isBusy} onClick={() => confirm.mutate()}>
            {confirm.isPending ? 'Checking with the bank…' : 'I have confirmed it'}
          </button>
        </p>
      )}
      <button type="button" class="link" disabled={isBusy} onClick={() => giveUp.mutate()}>
        Pay in another way
      </button>
      {error !== null && <p class="field-error">{describeError(error)}</p>}
    </div>
  );
}
