import { Field } from '../../shared/field';

/** A card as the buyer types it. */
export interface TypedCard {
  name: string;
  number: string;
  expiry: string;
  code: string;
}

export const EMPTY_CARD: TypedCard = { name: '', number: '', expiry: '', code: '' };

/** Returns a card as the API takes it. */
export const toSource = ({ name, number, expiry, code }: TypedCard) => ({
  name,
  number: number.replaceAll(' ', ''),
  verification_value: code,
  ...readExpiry(expiry),
});

/** Reads a date like 12/35 or 12 / 2035. */
function readExpiry(text: string): { month: string; year: string } {
  const [month = '', year = ''] = text.split('/').map((part) => part.trim());
  return { month, year: year.length === 2 ? `20${year}` : year };
}

/** The fields of a card, for gateways that let the store read it. */
export function CardFields({ card, onChange }: { card: TypedCard; onChange: (card: TypedCard) => void }) {
  const text = (name: keyof TypedCard, label: string, rest: object) => (
    <Field
      label={label}
      required
      value={card[name]}
      onText={(input) => onChange({ ...card, [name]: input })}
      {...rest}
    />
  );
  return (
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
  );
}
