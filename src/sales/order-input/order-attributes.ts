import { findUser, findUserByEmail } from '../../accounts/users/users.repository';
import { readVatId } from '../../accounts/vat-id';
import { findUserId, isAdmin, type Actor } from '../../access/actor';
import { readMetadata } from '../../access/metadata';
import { checkAllRead } from '../../platform/all-read';
import { InvalidResource } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph } from '../order/order-graph';
import type { OrderRow } from '../order/orders.repository';
import type { ChangedParts, OrderPatch } from '../order-updater/order-draft';
import { FULFILMENT_FACTS } from '../fulfilment/fulfilment-facts';
import { forgetReleasedFreights } from '../fulfilment/released-freights.repository';
import { offerRates } from '../fulfilment/refresh-rates';
import { chooseRates } from '../fulfilment/selected-rates';
import { applyAddresses } from './apply-addresses';
import { findEmailErrors } from '../order/checkout.guards';
import type { OrderAttributesInput } from './checkout.schema';
import type { Editor } from './editor';
import { buildNewOwner } from './order-claim';
import { restartCheckout } from '../fulfilment/restart';
import type { ChangeableOrder } from '../order/sold-order-policy';

/** The changed columns of the order, and its nested records. */
export interface AppliedAttributes {
  patch: OrderPatch;
  parts: ChangedParts;
  changes_parts: boolean;
}

/**
 * Applies the attributes of an update to an order: owner, e-mail, instructions, metadata, addresses and selected rates.
 * Line items and payments have steps of their own.
 * @returns the changed columns, with an earlier state if the checkout restarts
 * @throws InvalidResource; the transaction must then be rolled back
 */
export async function applyOrderAttributes(
  tx: Tx,
  order: ChangeableOrder,
  input: OrderAttributesInput,
  { actor, secret }: Pick<Editor, 'actor' | 'secret'>,
): Promise<AppliedAttributes> {
  const owned = await buildOwnerPatch(tx, order, input, actor);
  const patch: OrderPatch = {
    ...owned,
    ...(owned.user_id != null && owned.user_id !== order.user_id && buildNewOwner(secret, owned.user_id)),
    ...buildColumns(order, actor, input),
  };
  const choices = input.shipments_attributes ?? input.shipments ?? [];
  const shipments = chooseRates(order, choices, actor);
  if (order.completed_at !== null && shipments !== order.shipments) forgetReleasedFreights(tx, order);
  const addresses = await applyAddresses(tx, order, input);
  const restart = addresses.changes_destination
    ? restartCheckout(order, order.line_items.length > 0)
    : { patch: {}, parts: {} };
  const isRedirected = order.completed_at !== null && addresses.changes_destination;
  const offered = isRedirected
    ? await withFacts(tx, FULFILMENT_FACTS, (facts) =>
        offerRates(facts, { ...order, shipments, ...addresses.parts }),
      )
    : shipments;
  return {
    patch: { ...patch, ...addresses.patch, ...restart.patch },
    parts: { shipments: offered, ...addresses.parts, ...restart.parts },
    changes_parts: choices.length > 0 || Object.keys(addresses.patch).length > 0,
  };
}

/** What other steps read: the owner, addresses, rates, line items, payments and coupons. */
type OtherStep =
  | ('user_id' | 'use_billing' | 'coupon_code' | 'payment_source' | 'existing_card')
  | `${'bill_address' | 'ship_address' | 'line_items' | 'shipments' | 'payments'}${'' | '_attributes'}`;

/** Builds the columns that an order takes from the request as they are. */
function buildColumns(
  order: OrderGraph,
  actor: Actor,
  input: Omit<OrderAttributesInput, OtherStep>,
): OrderPatch {
  const { email, special_instructions, vat_id, metadata, public_metadata, ...left } = input;
  checkAllRead(left);
  return {
    ...buildEmailPatch(order, email),
    ...(special_instructions !== undefined && { special_instructions }),
    ...(vat_id !== undefined && { vat_id: readVatId(vat_id) }),
    ...readMetadata(actor, { metadata, public_metadata }),
  };
}

/**
 * Only admins assign orders to users. A blank e-mail defaults to that of the user.
 * @throws InvalidResource also if a payment has a card of another user, who must not pay for the order of the new one
 */
async function buildOwnerPatch(
  tx: Tx,
  order: OrderGraph,
  { user_id, email }: OrderAttributesInput,
  actor: Actor,
): Promise<OrderPatch> {
  if (!isAdmin(actor) || user_id === order.user_id) return {};
  if (user_id === undefined) {
    const isOwnCart = order.completed_at === null && order.user_id === findUserId(actor);
    return isOwnCart ? ((await findOtherBuyer(tx, actor, email)) ?? {}) : {};
  }
  if (user_id === null) return { user_id };
  const user = await findUser(tx, user_id);
  if (user === undefined) throw new InvalidResource({ user_id: ['is invalid'] });
  if (order.payments.some(({ card }) => card !== null && card.user_id !== null && card.user_id !== user_id)) {
    throw new InvalidResource({ user_id: ['cannot change: a payment has a card of the current user'] });
  }
  return { user_id, ...(isBlank(order.email) && { email: user.email }) };
}

/**
 * Finds the owner of an order that an admin enters for another person: the user with this e-mail, if there is one.
 * @returns null if the e-mail is blank or the actor's own
 */
export async function findOtherBuyer(
  tx: Tx,
  actor: Actor,
  email: string | null | undefined,
): Promise<Pick<OrderRow, 'user_id'> | null> {
  if (actor.kind === 'guest' || isBlank(email)) return null;
  if (email.toLowerCase() === actor.email.toLowerCase()) return null;
  return { user_id: (await findUserByEmail(tx, email))?.id ?? null };
}

/** The e-mail is required from `delivery` on; before, it may be blank. */
function buildEmailPatch(order: OrderGraph, given: OrderAttributesInput['email']): OrderPatch {
  if (given === undefined) return {};
  const email = isBlank(given) ? null : given;
  const isRequired = order.state !== 'cart' && order.state !== 'address';
  const errors = email === null && !isRequired ? null : findEmailErrors(email);
  if (errors !== null) throw new InvalidResource(errors);
  return { email };
}
