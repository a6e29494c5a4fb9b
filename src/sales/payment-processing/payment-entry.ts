import type { Ctx } from '../context';
import { canUseAccount, canUseSavedCards } from '../../access/authorization';
import type { FieldErrors } from '../../platform/errors';
import type { BoundStatement } from '../../platform/database/prepared';
import { buildDefaultCard, findSavedCard } from './credit-cards.repository';
import type { CreditCardRow, OrderGraph } from '../order/order-graph';
import type { ReadOrder } from '../order/orders.repository';
import { INVALID_CARD, type PaymentSource } from './added-payments';
import { withTimeout } from './call-gateway';
import type { CardInput } from './card-input.schema';
import {
  findExpiryError,
  isSaved,
  isTokenized,
  readCard,
  readTokenizedCard,
  type TokenizedCard,
} from './card-rules';
import type { Card } from './gateways/gateway';
import { connectGateway, findGateway } from './gateways/registry';
import { getOfferedPaymentMethods, type PaymentMethodRow } from './payment-methods.repository';

/*
 * Adds a payment to an order, for POST payments and for the checkout: `checkPaymentEntry`
 * before anything is written, `storeCard` outside any transaction, `addPayment` (added-payments.ts) inside the transaction.
 * An entry that does not need its gateway can also be checked inside the transaction.
 */

/** A requested payment, unchecked. `existing_card` determines its payment method. */
export interface PaymentEntry {
  payment_method_id?: number | null | undefined;
  card?: CardInput | undefined;
  existing_card?: number | null | undefined;
}

/** A checked payment. May hold the number of a new card: pass it to `storeCard` only. */
export type CheckedEntry =
  | { source: 'none'; method: PaymentMethodRow }
  | { source: 'new_card'; method: PaymentMethodRow; card: Card; card_user_id: number | null }
  | { source: 'token'; method: PaymentMethodRow; card: TokenizedCard; card_user_id: number | null }
  | { source: 'existing_card'; method: PaymentMethodRow; card: CreditCardRow };

/** A checked payment without the number of a new card. */
export type GatewayFreeEntry = Exclude<CheckedEntry, { source: 'new_card' }>;

/** What the check of a payment needs of the request. `db` is the transaction if the check runs inside one. */
export type CheckContext = Pick<Ctx, 'db' | 'actor' | 'now' | 'gateways'>;

const BLANK_METHOD: FieldErrors = { payment_method: ["can't be blank"] };
const CARD = 'Credit Card';
const NO_NUMBERS =
  'Number is not accepted: send the token of the page script of the gateway as gateway_payment_profile_id';

/** Returns whether the card of a requested payment may have to be stored at its gateway before the transaction. */
export function needsGateway({ card, existing_card }: PaymentEntry): boolean {
  return existing_card == null && card !== undefined && !isTokenized(card);
}

/**
 * Checks a requested payment for an order. Calls no gateway and writes nothing. Only saved cards of the order's user can
 * be used, by those who may (`canUseSavedCards`); orders of guests have none. A new card becomes one of the order's
 * user, unless the caller has only the order token or it is not to be saved.
 * @returns errors by field of the payment; `buildOrderErrors` converts them to errors of the order
 */
export async function checkPaymentEntry(
  ctx: CheckContext,
  order: Pick<ReadOrder, 'user_id' | 'revisions'>,
  entry: PaymentEntry,
): Promise<{ entry: CheckedEntry } | { errors: FieldErrors }> {
  const { existing_card } = entry;
  if (existing_card !== undefined && existing_card !== null) {
    return checkExistingCard(ctx, order, existing_card);
  }
  const method = await findMethod(ctx, order, entry.payment_method_id);
  if (method === undefined) return { errors: BLANK_METHOD };
  if (method.method_type === 'check' || entry.card === undefined)
    return { entry: { source: 'none', method } };
  const card_user_id = isSaved(entry.card) && canUseAccount(ctx.actor, order) ? order.user_id : null;
  if (isTokenized(entry.card)) {
    const tokenized = readTokenizedCard(entry.card, ctx.now());
    if ('errors' in tokenized) return { errors: { [CARD]: tokenized.errors } };
    return { entry: { source: 'token', method, card: tokenized.card, card_user_id } };
  }
  if (findGateway(ctx.gateways, method).tokenizes === true) return { errors: { [CARD]: [NO_NUMBERS] } };
  const read = readCard(entry.card, ctx.now());
  if ('errors' in read) return { errors: { [CARD]: read.errors } };
  return { entry: { source: 'new_card', method, card: read.card, card_user_id } };
}

async function findMethod(
  ctx: CheckContext,
  { revisions }: Pick<ReadOrder, 'revisions'>,
  id: number | null | undefined,
): Promise<PaymentMethodRow | undefined> {
  if (id === undefined || id === null) return undefined;
  return (await getOfferedPaymentMethods(ctx.db, revisions, ctx.actor)).find((method) => method.id === id);
}

/** Checks a saved card. Only cards of the order's user are valid, also for staff. */
async function checkExistingCard(
  ctx: CheckContext,
  order: Pick<ReadOrder, 'user_id' | 'revisions'>,
  cardId: number,
): Promise<{ entry: CheckedEntry } | { errors: FieldErrors }> {
  const owner = canUseSavedCards(ctx.actor, order) ? order.user_id : null;
  const card = owner === null ? undefined : await findSavedCard(ctx.db, owner, cardId);
  if (card === undefined) return { errors: INVALID_CARD };
  const method = await findMethod(ctx, order, card.payment_method_id);
  if (method === undefined) return { errors: BLANK_METHOD };
  const problem = findExpiryError(Number(card.month), Number(card.year), ctx.now());
  if (problem !== null) return { errors: { [CARD]: [problem] } };
  return { entry: { source: 'existing_card', method, card } };
}

/** Converts the errors of a payment to errors of its order, such as `payments.Credit Card`. */
export function buildOrderErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field === 'base' ? field : `payments.${field}`,
      messages,
    ]),
  );
}

/**
 * Stores a new card at its gateway and drops its number; the returned profile is enough to charge it. Calls a gateway:
 * never call it inside a transaction, nor before the rest of the request is checked.
 * @throws Unavailable when the gateway does not respond; nothing was charged
 */
export async function storeCard(ctx: Ctx, entry: CheckedEntry): Promise<PaymentSource> {
  if (entry.source !== 'new_card') return buildSource(entry);
  const { method, card, card_user_id } = entry;
  const profile = await withTimeout(ctx.log, { gateway: method.gateway, kind: 'create_profile' }, async () =>
    connectGateway(ctx, method).createProfile(card),
  );
  const { name, month, year, cc_type, last_digits } = card;
  const shown = { name, month, year, cc_type, last_digits };
  return { source: 'new_card', method, card: shown, profile, card_user_id };
}

/** Builds the source of an entry that needs no gateway. The token of a tokenized card is its profile already. */
export function buildSource(entry: GatewayFreeEntry): PaymentSource {
  if (entry.source !== 'token') return entry;
  const { token, card } = entry.card;
  const profile = { gateway_customer_profile_id: null, gateway_payment_profile_id: token };
  const { method, card_user_id } = entry;
  return { source: 'new_card', method, card, profile, card_user_id };
}

/** Builds what makes the card that paid for a completed order its user's default, if the gateway stores it. */
export function buildRememberedCard({
  user_id,
  payments,
}: Pick<OrderGraph, 'user_id' | 'payments'>): BoundStatement[] {
  const paid = payments.filter(({ state }) => state === 'pending' || state === 'completed');
  const card = paid.at(-1)?.card ?? null;
  if (card === null || user_id === null || card.user_id !== user_id) return [];
  if (card.is_default || card.gateway_customer_profile_id === null) return [];
  return buildDefaultCard(user_id, card.id);
}
