import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { describeError } from '../../shared/messages';
import type { StepProps } from '../checkout-step';
import { paymentMethodsQuery } from '../queries';
import { useOnce } from '../../shared/use-once';

type Payment = Order['payments'][number];

const POLL_MS = 3000;

/** What Stripe and PayPal add to the address to which they return a buyer who has confirmed. */
const SIGNS_OF_RETURN = ['payment_intent', 'PayerID'];

/** The instructions for the buyer, by gateway. The page of the bank of the test gateway does not exist. */
const WORDS = {
  paypal: {
    waits: 'PayPal waits for your approval. Your items are reserved meanwhile.',
    open: 'Continue to PayPal',
  },
  bogus: {
    waits: 'Your bank requires you to confirm the payment. This is a test card: there is no bank to open.',
    open: null,
  },
  other: {
    waits: 'Your bank requires you to confirm the payment. Your items are reserved meanwhile.',
    open: 'Open the page of the bank',
  },
};

const wordsOf = (gateway: string | undefined) =>
  gateway === 'paypal' || gateway === 'bogus' ? WORDS[gateway] : WORDS.other;

/** Guides the buyer through the confirmation that the bank requires, and polls for the result of the provider. */
export function WaitingPayment({ payment, order, store, path, onChange }: StepProps & { payment: Payment }) {
  const action = payment.requires_action ?? null;
  const redirect = action?.redirect_url ?? null;
  const secret = action?.client_secret ?? null;
  const [hasReturned] = useState(() =>
    SIGNS_OF_RETURN.some((name) => new URLSearchParams(location.search).has(name)),
  );
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
  const confirm = useOnce({
    mutationFn: () => unwrap(store.PUT('/api/v1/orders/{number}/payments/{id}/confirm_action', { params })),
    onSettled: read,
  });
  const methods = useQuery(paymentMethodsQuery(store, order.number));
  const method = methods.data?.find(({ id }) => id === payment.payment_method_id);
  const publishableKey = method?.public_preferences['publishable_key'];
  const { waits, open } = wordsOf(method?.gateway);
  const authenticate = useOnce({
    mutationFn: async () => {
      const { openStripe } = await import('../stripe');
      const stripe = await openStripe(publishableKey ?? '');
      await stripe.handleNextAction({ clientSecret: secret ?? '' });
    },
    // The store asks the provider how it ended.
    onSettled: () => confirm.mutate(),
  });
  const giveUp = useOnce({
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
          : waits}
      </p>
      {redirect !== null && method !== undefined && open !== null && (
        <p>
          <a href={redirect} rel="noreferrer" class="button wide">
            {open}
          </a>
        </p>
      )}
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
            class={open === null ? 'button wide' : 'button-quiet wide'}
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
