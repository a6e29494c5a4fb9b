import { useQuery } from '@tanstack/preact-query';
import { lazy, Suspense } from 'preact/compat';
import { useRef, useState } from 'preact/hooks';
import type { CardInput, Order, SavedCreditCard } from 'store-api-client';
import { useStep, type StepProps } from '../checkout-step';
import { ownCardsQuery, paymentMethodsQuery } from '../queries';
import { keptSignIn, useShop } from '../shop';
import { cardName } from '../words';
import { CardFields, EMPTY_CARD, readCardProblems, toSource } from './card-fields';
import { Failure, Loading } from './loading';
import { StepEnd } from './step-end';
import type { ReadCard } from './stripe-fields';
import { useOnce } from '../../shared/use-once';

const StripeFields = lazy(() => import('./stripe-fields').then((part) => ({ default: part.StripeFields })));

/** The choice of the payment. A card goes to the store or its provider only, and is not kept in the browser. */
export function PaymentStep(props: StepProps) {
  const { order, store } = props;
  const { payment_methods: methods = [] } = order;
  const signIn = keptSignIn.use();
  const saved = useQuery(ownCardsQuery(useShop(), signIn !== null));
  const cards = saved.data ?? [];
  const [methodId, setMethodId] = useState(methods[0]?.id ?? 0);
  // Null for a new card; undefined until the buyer chooses.
  const [chosenCardId, setCardId] = useState<number | null>();
  const cardId = chosenCardId === undefined ? findFirstCard(order, cards) : chosenCardId;
  const [card, setCard] = useState(EMPTY_CARD);
  const [isKept, setKept] = useState(false);
  const details = useQuery(paymentMethodsQuery(store, order.number));
  const step = useStep(props);
  const reader = useRef<ReadCard | null>(null);
  const method = methods.find(({ id }) => id === methodId);
  const provider = details.data?.find(({ id }) => id === methodId);
  const publishableKey = provider?.public_preferences['publishable_key'];
  const isPaypal = provider?.gateway === 'paypal';
  const wantsCard = method?.method_type === 'gateway' && !isPaypal;
  const wantsNewCard = wantsCard && cardId === null;
  const isLoading = wantsCard && (details.isPending || saved.isLoading);
  const problems = readCardProblems(step.error);
  const hasProblems = Object.keys(problems).length > 0;
  const payment = { payment_method_id: methodId };
  const payBy = (source: CardInput): void =>
    step.send({
      order: { payments_attributes: [payment] },
      payment_source: { [methodId]: { ...source, save: isKept } },
    });
  const read = useOnce({
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
    else if (cardId !== null) step.send({ order: { payments_attributes: [payment], existing_card: cardId } });
    else if (publishableKey !== undefined) read.mutate();
    else payBy(toSource(card));
  };
  return (
    <form class="step" onSubmit={pay}>
      <fieldset>
        <legend>Payment</legend>
        {methods.map(({ id, name }) => (
          <label key={id} class="option">
            <input type="radio" name="method" checked={id === methodId} onChange={() => setMethodId(id)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {wantsCard && cards.length > 0 && (
        <fieldset>
          <legend>Card</legend>
          {cards.map((one) => (
            <label key={one.id} class="option">
              <input
                type="radio"
                name="card"
                checked={one.id === cardId}
                onChange={() => setCardId(one.id)}
              />
              <span>{cardName(one)}</span>
              <span class="option-amount">
                {one.month}/{one.year}
              </span>
            </label>
          ))}
          <label class="option">
            <input type="radio" name="card" checked={cardId === null} onChange={() => setCardId(null)} />
            <span>Another card</span>
          </label>
        </fieldset>
      )}
      {isLoading && <Loading />}
      {wantsNewCard && details.isError && <Failure retry={details.refetch} />}
      {wantsNewCard && !isLoading && provider !== undefined && publishableKey === undefined && (
        <CardFields card={card} problems={problems} onChange={setCard} />
      )}
      {wantsNewCard && !isLoading && publishableKey !== undefined && (
        <Suspense fallback={<Loading />}>
          <StripeFields
            key={methodId}
            publishableKey={publishableKey}
            order={order}
            isKept={isKept}
            reader={reader}
          />
        </Suspense>
      )}
      {wantsNewCard && !isLoading && signIn !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={isKept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          Save this card for my next orders
        </label>
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
        hasFields={hasProblems && wantsNewCard}
        // A saved card has no fields for its problems.
        text={hasProblems && !wantsNewCard ? Object.values(problems).join(' ') : undefined}
        disabled={method === undefined || isLoading || (wantsNewCard && provider === undefined)}
      />
    </form>
  );
}

/** Returns the saved card to begin with: that of the order, else the default one; null for a new card. */
function findFirstCard({ payments }: Order, cards: readonly SavedCreditCard[]): number | null {
  const paying = payments.findLast(({ state }) => state === 'checkout')?.source_id;
  return (cards.find(({ id }) => id === paying) ?? cards.find((card) => card.default))?.id ?? null;
}
