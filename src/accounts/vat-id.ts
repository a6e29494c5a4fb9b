import { text } from '../platform/http/fields';
import { isBlank } from '../platform/blank';

/** The longest VAT id that is stored. */
export const MAX_VAT_ID_LENGTH = 20;

/** The VAT id of a buyer in requests. */
export const vatId = text({ trim: true, max: MAX_VAT_ID_LENGTH }).optional.describe(
  'The VAT id of the buyer, printed on invoices.',
);

/** Returns the VAT id to store: null for a blank one, undefined to leave it unchanged. */
export function readVatId<Sent extends string | null | undefined>(sent: Sent): Sent | null {
  return sent !== undefined && isBlank(sent) ? null : sent;
}
