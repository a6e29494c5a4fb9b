import { InvalidResource, type FieldErrors } from '../../platform/errors';
import {
  insertAddresses,
  updateAddress,
  type AddressGraph,
  type AddressValues,
} from '../../geography/addresses/addresses.repository';
import type { AddressInput } from '../../geography/addresses/addresses.schema';
import { resolveAddresses } from '../../geography/addresses/addresses.service';
import type { Tx } from '../../platform/database/transaction';
import { prefixErrors } from '../../platform/nested-errors';
import type { OrderGraph } from '../order/order-graph';
import type { OrderPatch } from '../order-updater/order-draft';
import { replaceOrderAddresses } from '../order/orders.repository';
import type { OrderAttributesInput } from './checkout.schema';
import type { LockedOrderGraph } from '../order/order-lock';

type Kind = 'bill_address' | 'ship_address';

/** An address as it is going to be stored: over the order's own (`current`), or as a new one. */
interface AddressChange {
  kind: Kind;
  values: AddressValues;
  current: AddressGraph | null;
}

export interface AppliedAddresses {
  /** The ids of those that were written. */
  patch: Pick<OrderPatch, 'bill_address_id' | 'ship_address_id'>;
  /** Whether the goods go somewhere else now. */
  changes_destination: boolean;
}

/**
 * Stores the addresses an update carries. One that names the id of the order's own changes that one, any other is a new
 * one in place of the former; `use_billing` makes the ship address a copy, so that changing one later leaves the other.
 * At most five statements.
 * @throws InvalidResource with the errors of both, `bill_address.city`
 */
export async function applyAddresses(
  tx: Tx,
  order: LockedOrderGraph,
  input: OrderAttributesInput,
): Promise<AppliedAddresses> {
  const named = await resolveChanges(tx, order, input);
  const bill = named.find(({ kind }) => kind === 'bill_address')?.values ?? order.bill_address;
  const settled =
    input.use_billing === true && bill !== null
      ? [...named, { kind: 'ship_address', values: bill, current: null } as const]
      : named;
  const ship = settled.find(({ kind }) => kind === 'ship_address')?.values ?? null;
  return {
    patch: await saveChanges(tx, order, settled),
    changes_destination: ship !== null && order.ship_address !== null && isOtherDestination(order.ship_address, ship),
  };
}

async function resolveChanges(tx: Tx, order: OrderGraph, input: OrderAttributesInput): Promise<AddressChange[]> {
  const inputs: Record<Kind, AddressInput | undefined> = {
    bill_address: input.bill_address_attributes ?? input.bill_address,
    ship_address:
      input.use_billing === true ? undefined : (input.ship_address_attributes ?? input.ship_address),
  };
  const wanted = (['bill_address', 'ship_address'] as const).flatMap((kind) => {
    const [sent, own] = [inputs[kind], order[kind]];
    if (sent === undefined) return [];
    return [{ kind, input: sent, current: own !== null && own.id === sent.id ? own : null }];
  });
  const resolved = await resolveAddresses(tx, wanted);
  const errors: FieldErrors = {};
  const settled = wanted.flatMap(({ kind, current }, index): AddressChange[] => {
    const result = resolved[index];
    if (result === undefined) return [];
    if ('address' in result) return [{ kind, current, values: result.address }];
    Object.assign(errors, prefixErrors(kind, result.errors));
    return [];
  });
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
  return settled;
}

async function saveChanges(
  tx: Tx,
  order: OrderGraph,
  settled: readonly AddressChange[],
): Promise<AppliedAddresses['patch']> {
  const patch: AppliedAddresses['patch'] = {};
  for (const { kind, values, current } of settled) {
    if (current === null) continue;
    await updateAddress(tx, current.id, values);
    patch[`${kind}_id`] = current.id;
  }
  const fresh = settled.filter(({ current }) => current === null);
  const ids = await insertAddresses(
    tx,
    fresh.map(({ values }) => values),
  );
  for (const [index, { kind }] of fresh.entries()) patch[`${kind}_id`] = ids[index] ?? null;
  if (fresh.some(({ kind }) => order[`${kind}_id`] !== null)) {
    const { bill_address_id, ship_address_id } = order;
    await replaceOrderAddresses(tx, order.id, { bill_address_id, ship_address_id, ...patch });
  }
  return patch;
}

/** Only country, state and postal code decide how a shipment goes and what it is taxed. */
function isOtherDestination(before: AddressValues, after: AddressValues): boolean {
  return (
    before.country_id !== after.country_id ||
    before.state_id !== after.state_id ||
    before.zipcode !== after.zipcode
  );
}
