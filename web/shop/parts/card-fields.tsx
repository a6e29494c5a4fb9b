import { StoreError } from 'store-api-client';
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
  number,
  expiry,
  verification_value: code,
  // The store guesses the brand.
  cc_type: '',
});

export type CardProblems = Partial<Record<keyof TypedCard, string>>;

/** What the API says about a card, by the field that it is about. */
const PROBLEMS: readonly (readonly [RegExp, keyof TypedCard, string])[] = [
  [/^Number can't/, 'number', 'Enter the number of the card.'],
  [/^Name /, 'name', 'Enter the name as it is on the card.'],
  [/^(Month|Year) is not a number|^Card expiration/, 'expiry', 'Enter month and year, such as 12/35.'],
  [/^Card has expired/, 'expiry', 'This card has expired.'],
  [/^Verification Value/, 'code', 'Enter the security code of the card.'],
];

/** Reads the problems of a card from an error of the API; none if it is about something else. */
export function readCardProblems(error: unknown): CardProblems {
  const messages = error instanceof StoreError ? (error.errors['payments.Credit Card'] ?? []) : [];
  return Object.fromEntries(
    messages.flatMap((message) =>
      PROBLEMS.filter(([pattern]) => pattern.test(message)).map(([, name, text]) => [name, text]),
    ),
  );
}

/** Adds the slash after the month while one types; number pads of phones have none. */
const addSlash = (text: string, before: string): string =>
  (/^\d\d$/.test(text) && text.length > before.length ? `${text}/` : text).replace('//', '/');

interface CardFieldsProps {
  card: TypedCard;
  problems: CardProblems;
  onChange: (card: TypedCard) => void;
}

/** The fields of a card, for gateways that let the store read it. */
export function CardFields({ card, problems, onChange }: CardFieldsProps) {
  const text = (name: keyof TypedCard, label: string, rest: object) => (
    <Field
      label={label}
      required
      value={card[name]}
      problem={problems[name]}
      onText={(input) =>
        onChange({ ...card, [name]: name === 'expiry' ? addSlash(input, card.expiry) : input })
      }
      {...rest}
    />
  );
  return (
    <div class="fields">
      {text('number', 'Card number', { inputMode: 'numeric', autocomplete: 'cc-number', maxLength: 23 })}
      {text('name', 'Name on the card', { autocomplete: 'cc-name', maxLength: 255 })}
      <div class="field-pair">
        {text('expiry', 'Valid until (MM/YY)', {
          inputMode: 'numeric',
          autocomplete: 'cc-exp',
          placeholder: '12/35',
          maxLength: 9,
        })}
        {text('code', 'Security code', { inputMode: 'numeric', autocomplete: 'cc-csc', maxLength: 4 })}
      </div>
    </div>
  );
}
