import { useMutation, useQuery } from '@tanstack/preact-query';
import { unwrap, type Order } from 'store-api-client';
import { readMessages } from '../../shared/messages';
import type { StepProps } from '../checkout-step';

type Payment = Order['payments'][number];

const POLL_MS = 3000;

/** The payment of an order that waits for its buyer or the provider; undefined if none does. */
export const findWaiting = ({ payments }: Order): Payment | undefined =>
  payments.findLast(({ state }) => state === 'processing');

/** Leads the buyer through what the bank asks for, and waits for what the provider decides. */
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
          ? 'Your bank has not decided yet. The goods are held for you; this page tells you when it has.'
          : 'Your bank asks you to confirm the payment. The goods are held for you meanwhile.'}
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
            {confirm.isPending ? 'Asking the bank…' : 'I have confirmed it'}
          </button>
        </p>
      )}
      <button type="button" class="link" disabled={isBusy} onClick={() => giveUp.mutate()}>
        Pay in another way
      </button>
      {error !== null && <p class="field-error">{readMessages(error).summary}</p>}
    </div>
  );
}
