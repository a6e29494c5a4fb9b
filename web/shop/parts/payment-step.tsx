import { useState } from 'preact/hooks';
import { Field } from '../../shared/field';
import { useStep, type StepProps } from '../checkout-step';
import { StepEnd } from './step-end';

const EMPTY_CARD = { name: '', number: '', expiry: '', code: '' };

/** Reads a date like 12/35 or 12 / 2035. */
function readExpiry(text: string): { month: string; year: string } {
  const [month = '', year = ''] = text.split('/').map((part) => part.trim());
  return { month, year: year.length === 2 ? `20${year}` : year };
}

/** The choice of the payment. The card goes to the store only, and is not kept in the browser. */
export function PaymentStep(props: StepProps) {
  const { payment_methods: methods = [], credit_cards: cards = [] } = props.order;
  const [chosen, choose] = useState<{ methodId: number; cardId: number | null }>({
    methodId: methods[0]?.id ?? 0,
    cardId: cards.at(-1)?.id ?? null,
  });
  const [card, setCard] = useState(EMPTY_CARD);
  const step = useStep(props);
  const method = methods.find(({ id }) => id === chosen.methodId);
  const wantsCard = method?.method_type === 'gateway';
  const pay = (event: Event): void => {
    event.preventDefault();
    if (method === undefined) return;
    const payment = { payment_method_id: method.id };
    if (!wantsCard) step.send({ order: { payments_attributes: [payment] } });
    else if (chosen.cardId !== null)
      step.send({ order: { payments_attributes: [payment], existing_card: chosen.cardId } });
    else {
      const source = {
        ...{ name: card.name, number: card.number.replaceAll(' ', ''), verification_value: card.code },
        ...readExpiry(card.expiry),
      };
      step.send({ order: { payments_attributes: [payment] }, payment_source: { [method.id]: source } });
    }
  };
  const text = (name: keyof typeof EMPTY_CARD, label: string, rest: object) => (
    <Field
      label={label}
      required
      value={card[name]}
      onText={(input) => setCard({ ...card, [name]: input })}
      {...rest}
    />
  );
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
      {wantsCard && chosen.cardId === null && (
        <div class="fields">
          {text('number', 'Card number', { inputMode: 'numeric', autocomplete: 'cc-number', maxLength: 23 })}
          {text('name', 'Name on the card', { autocomplete: 'cc-name', maxLength: 255 })}
          <div class="field-pair">
            {text('expiry', 'Valid until (MM/YY)', {
              autocomplete: 'cc-exp',
              placeholder: '12/35',
              maxLength: 9,
            })}
            {text('code', 'Security code', { inputMode: 'numeric', autocomplete: 'cc-csc', maxLength: 4 })}
          </div>
        </div>
      )}
      <StepEnd order={props.order} step={step} name="Review the order" disabled={method === undefined} />
    </form>
  );
}
