import type { CreditCardRow } from '../order/order-graph';
import { serializeCreditCard } from '../order-replies/payments.serializer';
import type { SavedCardJson } from './credit-cards.schema';

/** `admin` is that of `serializeCreditCard`. */
export function serializeSavedCard(card: CreditCardRow, admin: boolean): SavedCardJson {
  return { ...serializeCreditCard(card, admin), default: card.is_default };
}
