import { isBlank } from '../../platform/blank';
import { BLANK, InvalidResource, type FieldErrors } from '../../platform/errors';
import {
  buildAddressGraph,
  getCountries,
  type AddressGraph,
  type AddressValues,
} from '../../geography/addresses/addresses.repository';
import type { AddressInput } from '../../geography/addresses/addresses.schema';
import { resolveAddresses } from '../../geography/addresses/addresses.service';
import type { Tx } from '../../platform/database/transaction';
import { prefixErrors } from '../../platform/nested-errors';
import type { OrderGraph } from '../order/order-graph';
import { newId } from '../order/new-id';
import type { ChangedParts, OrderPatch } from '../order-updater/order-draft';
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
  parts: ChangedParts;
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
  return {
    ...(await buildAddresses(tx, order, changes)),
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
  if (Object.keys(errors).length === 0) return changes;
  // The step would report it next, when the addresses are corrected.
  const needsEmail =
    order.state === 'address' && isBlank(input.email === undefined ? order.email : input.email);
  throw new InvalidResource({ ...errors, ...(needsEmail && { email: [BLANK] }) });
}

/** Builds the addresses after the changes. */
async function buildAddresses(
  tx: Tx,
  order: OrderGraph,
  changes: readonly AddressChange[],
): Promise<Pick<AppliedAddresses, 'patch' | 'parts'>> {
  const patch: AppliedAddresses['patch'] = {};
  const parts: ChangedParts = {};
  if (changes.length === 0) return { patch, parts };
  const countries = await getCountries(tx, order.revisions);
  for (const { kind, values, current } of changes) {
    const address = buildAddressGraph(current?.id ?? newId(), values, countries);
    for (const one of ['bill_address', 'ship_address'] as const) {
      // A change of an address that is both changes both.
      if (one !== kind && (current === null || order[one]?.id !== current.id)) continue;
      parts[one] = address;
      patch[`${one}_id`] = address.id;
    }
  }
  return { patch, parts };
}

/** Only country, state and postal code determine shipping rates and taxes. */
function isOtherDestination(before: AddressValues, after: AddressValues): boolean {
  return (
    before.country_id !== after.country_id ||
    before.state_id !== after.state_id ||
    before.zipcode !== after.zipcode
  );
}
