import { findUser } from '../../accounts/users/users.repository';
import { isAdmin, type Actor } from '../../access/actor';
import { InvalidResource } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph } from '../order/order-graph';
import type { OrderPatch } from '../order-updater/order-draft';
import { selectShippingRates } from '../fulfilment/selected-rates';
import { applyAddresses } from './apply-addresses';
import { findEmailErrors } from '../order/checkout.guards';
import type { OrderAttributesInput } from './checkout.schema';
import { restartCheckout } from '../fulfilment/restart';
import type { LockedOrderGraph } from '../order/order-lock';

/** What becomes of the order's own columns, and whether any of its parts were written to. */
export interface AppliedAttributes {
  patch: OrderPatch;
  changes_parts: boolean;
}

/**
 * Applies what a checkout or order update says of the order itself: its owner, e-mail, addresses, chosen rates. Lines
 * and payments have steps of their own.
 * @returns changed columns, an earlier state among them when the checkout has to begin again (behaviour 8.7)
 * @throws InvalidResource; nothing may be kept then
 */
export async function applyOrderAttributes(
  tx: Tx,
  order: LockedOrderGraph,
  input: OrderAttributesInput,
  actor: Actor,
): Promise<AppliedAttributes> {
  const patch: OrderPatch = {
    ...(await buildOwnerPatch(tx, order, input, actor)),
    ...buildEmailPatch(order, input),
    ...(input.special_instructions !== undefined && { special_instructions: input.special_instructions }),
  };
  const choices = input.shipments_attributes ?? input.shipments ?? [];
  await selectShippingRates(tx, order, choices);
  const addresses = await applyAddresses(tx, order, input);
  const restart = addresses.changes_destination
    ? await restartCheckout(tx, order, order.line_items.length > 0)
    : {};
  return {
    patch: { ...patch, ...addresses.patch, ...restart },
    changes_parts: choices.length > 0 || Object.keys(addresses.patch).length > 0,
  };
}

/** Admins give orders to users; a blank e-mail is filled with the user's. */
async function buildOwnerPatch(
  tx: Tx,
  order: OrderGraph,
  { user_id }: OrderAttributesInput,
  actor: Actor,
): Promise<OrderPatch> {
  if (!isAdmin(actor) || user_id === undefined || user_id === order.user_id) return {};
  if (user_id === null) return { user_id };
  const user = await findUser(tx, user_id);
  if (user === undefined) throw new InvalidResource({ user_id: ['is invalid'] });
  return { user_id, ...(isBlank(order.email) && { email: user.email }) };
}

/** From `delivery` on an order cannot lose its e-mail; before, a blank one is just none yet. */
function buildEmailPatch(order: OrderGraph, input: OrderAttributesInput): OrderPatch {
  if (input.email === undefined) return {};
  const email = isBlank(input.email) ? null : input.email;
  const needed = order.state !== 'cart' && order.state !== 'address';
  const errors = email === null && !needed ? null : findEmailErrors(email);
  if (errors !== null) throw new InvalidResource(errors);
  return { email };
}
