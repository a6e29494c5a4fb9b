import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { describeError } from '../../shared/messages';
import type { StepProps } from '../checkout-step';
import { paymentMethodsQuery } from '../queries';

type Payment = Order['payments'][number];

const POLL_MS = 3000;

/** The payment of an order that waits for its buyer or the provider; undefined if none does. */
export const findWaiting = ({ payments }: Order): Payment | undefined =>
  payments.findLast(({ state }) => state === 'processing');

/** Whether an address leads anywhere. Those of the test gateway are reserved for examples (RFC 2606). */
const isReal = (address: string): boolean => !new URL(address).hostname.endsWith('.example');

/** Guides the buyer through the confirmation that the bank requires, and polls for the result of the provider. */
export function WaitingPayment({ payment, order, store, path, onChange }: StepProps & { payment: Payment }) {
  const action = payment.requires_action ?? null;
  const redirect = action?.redirect_url ?? null;
  const secret = action?.client_secret ?? null;
  // Stripe adds it to the address that it returns the buyer to.
  const [hasReturned] = useState(() => new URLSearchParams(location.search).has('payment_intent'));
  const read = async (): Promise<Order> => {
    const current = await unwrap(store.GET('/api/v1/orders/{number}', { params: { path } }));
    onChange(current);
    return current;
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
  const methods = useQuery({ ...paymentMethodsQuery(store, order.number), enabled: secret !== null });
  const publishableKey = methods.data?.find(({ id }) => id === payment.payment_method_id)?.public_preferences[
    'publishable_key'
  ];
  const authenticate = useMutation({
    mutationFn: async () => {
      const { openStripe } = await import('../stripe');
      const stripe = await openStripe(publishableKey ?? '');
      await stripe.handleNextAction({ clientSecret: secret ?? '' });
    },
    // The store asks the provider how it ended.
    onSettled: () => confirm.mutate(),
  });
  const giveUp = useMutation({
    mutationFn: () => unwrap(store.PUT('/api/v1/orders/{number}/payments/{id}/cancel_action', { params })),
    onSettled: read,
  });
  useEffect(() => {
    if (hasReturned && action !== null) confirm.mutate();
  }, []);
  const isBusy = confirm.isPending || giveUp.isPending || authenticate.isPending;
  const error = confirm.error ?? giveUp.error;
  return (
    <div class="notice" role="status">
      <p>
        {action === null
          ? 'Your bank has not decided yet. Your items are reserved; this page shows the result.'
          : 'Your bank requires you to confirm the payment. Your items are reserved meanwhile.'}
      </p>
      {redirect !== null && isReal(redirect) && (
        <p>
          <a href={redirect} rel="noreferrer" class="button wide">
            Open the page of the bank
          </a>
        </p>
      )}
      {redirect !== null && !isReal(redirect) && <p>This is a test card: there is no bank to open.</p>}
      {secret !== null && (
        <p>
          <button
            type="button"
            class="button wide"
            disabled={isBusy || publishableKey === undefined}
            onClick={() => authenticate.mutate()}
          >
            {isBusy ? 'Checking with the bank…' : 'Confirm with the bank'}
          </button>
        </p>
      )}
      {redirect !== null && (
        <p>
          <button
            type="button"
            class={isReal(redirect) ? 'button-quiet wide' : 'button wide'}
            disabled={isBusy}
            onClick={() => confirm.mutate()}
          >
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
