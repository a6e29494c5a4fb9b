import { InvalidResource, type FieldErrors } from '../../platform/errors';
import {
  buildAddressGraph,
  getCountries,
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
import type { OrderPatch, WrittenParts } from '../order-updater/order-draft';
import { replaceOrderAddresses } from '../order/orders.repository';
import type { OrderAttributesInput } from './checkout.schema';
import type { ChangeableOrder } from '../order/sold-order-policy';

type Kind = 'bill_address' | 'ship_address';

/** An address to store: it updates `current`, or is inserted if `current` is null. */
interface AddressChange {
  kind: Kind;
  values: AddressValues;
  current: AddressGraph | null;
}

export interface AppliedAddresses {
  /** The ids of the stored addresses. */
  patch: Pick<OrderPatch, 'bill_address_id' | 'ship_address_id'>;
  /** The stored addresses. */
  parts: WrittenParts;
  /** Whether the country, state or postal code of the ship address changed. */
  changes_destination: boolean;
}

/**
 * Stores the addresses of an update. An address with the id of the order's current one updates it; any other replaces
 * it. `use_billing` copies the bill address to the ship address, so that later changes affect only one of them. At most
 * five statements.
 * @throws InvalidResource with the errors of both addresses, such as `bill_address.city`
 */
export async function applyAddresses(
  tx: Tx,
  order: ChangeableOrder,
  input: OrderAttributesInput,
): Promise<AppliedAddresses> {
  const sent = await resolveChanges(tx, order, input);
  const bill = sent.find(({ kind }) => kind === 'bill_address')?.values ?? order.bill_address;
  const changes =
    input.use_billing === true && bill !== null
      ? [...sent, { kind: 'ship_address', values: bill, current: null } as const]
      : sent;
  const ship = changes.find(({ kind }) => kind === 'ship_address')?.values ?? null;
  const patch = await saveChanges(tx, order, changes);
  return {
    patch,
    parts: changes.length === 0 ? {} : await buildParts(tx, order, { changes, patch }),
    changes_destination:
      ship !== null && order.ship_address !== null && isOtherDestination(order.ship_address, ship),
  };
}

async function resolveChanges(
  tx: Tx,
  order: OrderGraph,
  input: OrderAttributesInput,
): Promise<AddressChange[]> {
  const inputs: Record<Kind, AddressInput | undefined> = {
    bill_address: input.bill_address_attributes ?? input.bill_address,
    ship_address:
      input.use_billing === true ? undefined : (input.ship_address_attributes ?? input.ship_address),
  };
  const addresses = (['bill_address', 'ship_address'] as const).flatMap((kind) => {
    const [sent, own] = [inputs[kind], order[kind]];
    if (sent === undefined) return [];
    return [{ kind, input: sent, current: own !== null && own.id === sent.id ? own : null }];
  });
  if (addresses.length === 0) return [];
  const resolved = resolveAddresses(await getCountries(tx, order.revisions), addresses);
  const errors: FieldErrors = {};
  const changes = addresses.flatMap(({ kind, current }, index): AddressChange[] => {
    const result = resolved[index];
    if (result === undefined) return [];
    if ('address' in result) return [{ kind, current, values: result.address }];
    Object.assign(errors, prefixErrors(kind, result.errors));
    return [];
  });
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
  return changes;
}

async function saveChanges(
  tx: Tx,
  order: OrderGraph,
  changes: readonly AddressChange[],
): Promise<AppliedAddresses['patch']> {
  const patch: AppliedAddresses['patch'] = {};
  for (const { kind, values, current } of changes) {
    if (current === null) continue;
    await updateAddress(tx, current.id, values);
    patch[`${kind}_id`] = current.id;
  }
  const added = changes.filter(({ current }) => current === null);
  const ids = await insertAddresses(
    tx,
    added.map(({ values }) => values),
  );
  for (const [index, { kind }] of added.entries()) patch[`${kind}_id`] = ids[index] ?? null;
  if (added.some(({ kind }) => order[`${kind}_id`] !== null)) {
    const { bill_address_id, ship_address_id } = order;
    await replaceOrderAddresses(tx, order.id, { bill_address_id, ship_address_id, ...patch });
  }
  return patch;
}

/** Builds the stored addresses, so that they need not be read. */
async function buildParts(
  tx: Tx,
  { revisions, bill_address_id, ship_address_id }: OrderGraph,
  { changes, patch }: { changes: readonly AddressChange[]; patch: AppliedAddresses['patch'] },
): Promise<AppliedAddresses['parts']> {
  // A change of one would change both.
  if (bill_address_id !== null && bill_address_id === ship_address_id) return null;
  const countries = await getCountries(tx, revisions);
  const parts: NonNullable<WrittenParts> = {};
  for (const { kind, values } of changes) {
    parts[kind] = buildAddressGraph(patch[`${kind}_id`] ?? 0, values, countries);
  }
  return parts;
}

/** Only country, state and postal code determine shipping rates and taxes. */
function isOtherDestination(before: AddressValues, after: AddressValues): boolean {
  return (
    before.country_id !== after.country_id ||
    before.state_id !== after.state_id ||
    before.zipcode !== after.zipcode
  );
}
