import { useMutation, useQuery } from '@tanstack/preact-query';
import { lazy, Suspense } from 'preact/compat';
import { useRef, useState } from 'preact/hooks';
import type { CardInput } from 'store-api-client';
import { useStep, type StepProps } from '../checkout-step';
import { paymentMethodsQuery } from '../queries';
import { keptSignIn } from '../shop';
import { CardFields, EMPTY_CARD, toSource } from './card-fields';
import { Failure, Loading } from './loading';
import { StepEnd } from './step-end';
import type { ReadCard } from './stripe-fields';

const StripeFields = lazy(() => import('./stripe-fields').then((part) => ({ default: part.StripeFields })));

/** The choice of the payment. A card goes to the store or its provider only, and is not kept in the browser. */
export function PaymentStep(props: StepProps) {
  const { order, store } = props;
  const { payment_methods: methods = [], credit_cards: cards = [] } = order;
  const [chosen, choose] = useState<{ methodId: number; cardId: number | null }>({
    methodId: methods[0]?.id ?? 0,
    cardId: cards.at(-1)?.id ?? null,
  });
  const [card, setCard] = useState(EMPTY_CARD);
  const details = useQuery(paymentMethodsQuery(store, order.number));
  const step = useStep(props);
  const reader = useRef<ReadCard | null>(null);
  const signIn = keptSignIn.use();
  const method = methods.find(({ id }) => id === chosen.methodId);
  const provider = details.data?.find(({ id }) => id === chosen.methodId);
  const publishableKey = provider?.public_preferences['publishable_key'];
  const isPaypal = provider?.gateway === 'paypal';
  const wantsCard = method?.method_type === 'gateway' && !isPaypal;
  const wantsNewCard = wantsCard && chosen.cardId === null;
  const payment = { payment_method_id: chosen.methodId };
  const payBy = (source: CardInput): void =>
    step.send({ order: { payments_attributes: [payment] }, payment_source: { [chosen.methodId]: source } });
  const read = useMutation({
    mutationFn: () =>
      reader.current === null
        ? Promise.reject(new Error('The payment form is not ready.'))
        : reader.current(),
    onSuccess: payBy,
  });
  const pay = (event: Event): void => {
    event.preventDefault();
    if (isPaypal) payBy({ gateway_payment_profile_id: 'paypal' });
    else if (!wantsCard) step.send({ order: { payments_attributes: [payment] } });
    else if (chosen.cardId !== null)
      step.send({ order: { payments_attributes: [payment], existing_card: chosen.cardId } });
    else if (publishableKey !== undefined) read.mutate();
    else payBy(toSource(card));
  };
  return (
    <form class="step" onSubmit={pay}>
      <fieldset>
        <legend>Payment</legend>
        {methods.map(({ id, name }) => (
          <label key={id} class="option">
            <input
              type="radio"
              name="method"
              checked={id === chosen.methodId}
              onChange={() => choose({ ...chosen, methodId: id })}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {wantsCard && cards.length > 0 && (
        <fieldset>
          <legend>Card</legend>
          {cards.map(({ id, cc_type, last_digits, month, year }) => (
            <label key={id} class="option">
              <input
                type="radio"
                name="card"
                checked={id === chosen.cardId}
                onChange={() => choose({ ...chosen, cardId: id })}
              />
              <span>
                {cc_type ?? 'Card'} ending in {last_digits}
              </span>
              <span class="option-amount">
                {month}/{year}
              </span>
            </label>
          ))}
          <label class="option">
            <input
              type="radio"
              name="card"
              checked={chosen.cardId === null}
              onChange={() => choose({ ...chosen, cardId: null })}
            />
            <span>Another card</span>
          </label>
        </fieldset>
      )}
      {wantsNewCard && details.isPending && <Loading />}
      {wantsNewCard && details.isError && <Failure retry={details.refetch} />}
      {wantsNewCard && provider !== undefined && publishableKey === undefined && (
        <CardFields card={card} onChange={setCard} />
      )}
      {wantsNewCard && publishableKey !== undefined && (
        <Suspense fallback={<Loading />}>
          <StripeFields
            key={chosen.methodId}
            publishableKey={publishableKey}
            order={order}
            isKept={signIn !== null}
            reader={reader}
          />
        </Suspense>
      )}
      {isPaypal && <p class="notice">You approve the payment at PayPal after you have reviewed the order.</p>}
      {read.error !== null && (
        <p class="notice notice-bad" role="alert">
          {read.error.message}
        </p>
      )}
      <StepEnd
        order={order}
        step={{ ...step, isPending: step.isPending || read.isPending }}
        name="Review the order"
        disabled={method === undefined || (wantsNewCard && provider === undefined)}
      />
    </form>
  );
}
