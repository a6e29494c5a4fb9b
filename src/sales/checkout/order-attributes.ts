import { isAdmin, userIdOf, type Ctx } from '../../context';
import { InvalidResource, Refused } from '../../errors';
import {
  copyAddress,
  insertAddress,
  updateAddress,
  type AddressGraph,
} from '../../geography/addresses/addresses.repository';
import type { AddressInput } from '../../geography/addresses/addresses.schema';
import { prefixed, resolveAddress } from '../../geography/addresses/addresses.service';
import type { Tx } from '../../platform/database/transaction';
import { holdsToken } from '../../policy';
import type { OrderGraph } from '../orders/order-graph';
import type { OrderPatch } from '../orders/order-updater';
import { selectShippingRates } from '../shipments/selected-rates';
import { emailErrors } from './checkout.guards';
import { earlierStep } from './checkout-steps';
import type { OrderAttributesInput } from './checkout.schema';
import { restartCheckout } from './restart';

/**
 * Applies what a checkout or order update says of the order itself: its owner, e-mail, addresses, chosen rates. Lines
 * and payments have steps of their own. Expects the order locked; the caller ends with `updateOrder(…, patch)`.
 * @returns the patch: changed columns, and an earlier state when the checkout has to begin again (behaviour 8.7)
 * @throws InvalidResource; nothing may be kept then
 */
export async function applyOrderAttributes(
  tx: Tx,
  ctx: Ctx,
  order: OrderGraph,
  input: OrderAttributesInput,
): Promise<OrderPatch> {
  const patch: OrderPatch = {
    ...claimedBy(ctx, order),
    ...(isAdmin(ctx.actor) && input.user_id !== undefined && { user_id: input.user_id }),
    ...emailPatch(order, input),
    ...(input.special_instructions !== undefined && { special_instructions: input.special_instructions }),
  };
  if (input.coupon_code != null && input.coupon_code !== '') {
    throw new Refused("The coupon code you entered doesn't exist. Please try again.");
  }
  await selectShippingRates(tx, order, input.shipments_attributes ?? input.shipments ?? []);
  const addresses = await applyAddresses(tx, order, input);
  const restart = addresses.shipsElsewhere
    ? await restartCheckout(tx, order, order.line_items.length > 0)
    : {};
  return { ...patch, ...addresses.patch, ...steppedBack(order, input), ...restart };
}

/** A shopper who signs in while holding the token of an order without an owner becomes its owner (behaviour 7.8). */
function claimedBy(ctx: Ctx, order: OrderGraph): OrderPatch {
  const { actor } = ctx;
  const claims =
    actor.kind === 'customer' && order.user_id === null && holdsToken(ctx.orderToken, order.token_hash);
  if (!claims || order.completed_at !== null) return {};
  return { user_id: userIdOf(actor), ...((order.email ?? '') === '' && { email: actor.email }) };
}

/** From `delivery` on an order cannot lose its e-mail; before, a blank one is just none yet. */
function emailPatch(order: OrderGraph, input: OrderAttributesInput): OrderPatch {
  if (input.email === undefined) return {};
  const email = input.email === null || input.email === '' ? null : input.email;
  const needed = order.state !== 'cart' && order.state !== 'address';
  const errors = email === null && !needed ? null : emailErrors(email);
  if (errors !== null) throw new InvalidResource(errors);
  return { email };
}

/** `state` may only name an earlier step of the checkout; anything else is no instruction (behaviour 8.2). */
function steppedBack(order: OrderGraph, input: OrderAttributesInput): OrderPatch {
  const state = order.completed_at === null ? earlierStep(order.state, input.state) : null;
  return state === null ? {} : { state };
}

type Kind = 'bill_address' | 'ship_address';

async function applyAddresses(
  tx: Tx,
  order: OrderGraph,
  input: OrderAttributesInput,
): Promise<{ patch: OrderPatch; shipsElsewhere: boolean }> {
  const bill = await applyAddress(
    tx,
    order,
    'bill_address',
    input.bill_address_attributes ?? input.bill_address,
  );
  const useBilling = input.use_billing === true;
  const ship = useBilling
    ? await copyOf(tx, bill ?? order.bill_address)
    : await applyAddress(tx, order, 'ship_address', input.ship_address_attributes ?? input.ship_address);
  return {
    patch: {
      ...(bill !== null && { bill_address_id: bill.id }),
      ...(ship !== null && { ship_address_id: ship.id }),
    },
    shipsElsewhere: ship !== null && order.ship_address !== null && isElsewhere(order.ship_address, ship),
  };
}

type Destination = Pick<AddressGraph, 'id' | 'country_id' | 'state_id' | 'zipcode'>;

/** An address naming the order's own id changes that one; any other becomes a new one of the order's own. */
async function applyAddress(
  tx: Tx,
  order: OrderGraph,
  kind: Kind,
  input: AddressInput | undefined,
): Promise<Destination | null> {
  if (input === undefined) return null;
  const own = order[kind];
  const current = own !== null && input.id === own.id ? own : null;
  const resolved = await resolveAddress(tx, input, current);
  if ('errors' in resolved) throw new InvalidResource(prefixed(kind, resolved.errors));
  const { address } = resolved;
  if (current === null) return { ...address, id: await insertAddress(tx, address) };
  await updateAddress(tx, current.id, address);
  return { ...address, id: current.id };
}

/** The ship address is a copy, so that changing one later leaves the other. */
async function copyOf(tx: Tx, address: Destination | null): Promise<Destination | null> {
  return address === null ? null : { ...address, id: await copyAddress(tx, address.id) };
}

/** Only country, state and zip decide how a shipment goes and what it is taxed. */
function isElsewhere(before: Destination, after: Destination): boolean {
  return (
    before.country_id !== after.country_id ||
    before.state_id !== after.state_id ||
    before.zipcode !== after.zipcode
  );
}
