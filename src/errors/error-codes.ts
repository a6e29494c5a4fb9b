import errorTexts from './error-texts.json';

export type ErrorCode = keyof typeof errorTexts;

/** What /docs/errors says about a code. */
interface ErrorText {
  status: number;
  cause: string;
  cure: string;
}

/**
 * The values of the header X-Error-Code. Clients branch on them, so a code is never renamed or given another meaning;
 * new ones may be added.
 */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorText>> = errorTexts;

/** Messages of the state machines that have a code of their own, wherever they occur in `errors`. */
export const SOLD = 'The order is complete and can only be changed by the store.';
export const OUT_OF_STOCK = 'Some line items in this order have insufficient quantity.';
export const NO_PAYMENT = 'No payment found';
export const NOT_AVAILABLE = 'is not available.';
