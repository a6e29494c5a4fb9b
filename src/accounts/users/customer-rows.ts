import { readRevisions } from '../../geography/reference-revisions.repository';
import {
  insertAddresses,
  loadAddresses,
  updateAddress,
  type AddressGraph,
  type AddressValues,
  getCountries,
} from '../../geography/addresses/addresses.repository';
import { AddressInput } from '../../geography/addresses/addresses.schema';
import { resolveAddresses } from '../../geography/addresses/addresses.service';
import { buildFailure, type RowOutcome } from '../../platform/batch';
import { isBlank } from '../../platform/blank';
import { Restart, type Tx } from '../../platform/database/transaction';
import type { FieldErrors } from '../../platform/errors';
import {
  insertCustomers,
  lockCustomers,
  updateCustomers,
  type LockedCustomer,
} from './customer-rows.repository';

/** The address columns of a row, without `bill_` or `ship_`. */
export const ADDRESS_CELLS = [
  ...(['firstname', 'lastname', 'company', 'address1', 'address2', 'city', 'zipcode', 'phone'] as const),
  ...(['alternative_phone', 'state', 'country'] as const),
];

const KINDS = ['bill', 'ship'] as const;
type Kind = (typeof KINDS)[number];

/** A row of a customer file: `email`, `vat_id`, and columns such as `bill_city`. Undefined is a missing column. */
export type CustomerRow = { email: string } & Partial<Record<string, string | null>>;

/** Returns the cells of an address, by column; all empty for none. */
export function buildAddressCells(
  kind: Kind,
  address: AddressGraph | null | undefined,
): Record<string, string> {
  return Object.fromEntries(
    ADDRESS_CELLS.map((name) => [`${kind}_${name}`, address == null ? '' : readCell(address, name)]),
  );
}

function readCell(address: AddressGraph, name: (typeof ADDRESS_CELLS)[number]): string {
  if (name === 'country') return address.country.iso;
  if (name === 'state') return address.state?.abbr ?? address.state?.name ?? address.state_name ?? '';
  return address[name] ?? '';
}

/** Returns the address in the cells of a row; undefined if they are blank. */
export function readAddressCells(
  kind: Kind,
  row: Partial<Record<string, unknown>>,
): AddressInput | undefined {
  const filled = ADDRESS_CELLS.flatMap((name) => {
    const cell = row[`${kind}_${name}`];
    return typeof cell === 'string' && cell !== '' ? [[name, cell] as const] : [];
  });
  return filled.length === 0 ? undefined : parseAddress(Object.fromEntries(filled));
}

function parseAddress({ country, state, ...lines }: Partial<Record<string, string>>): AddressInput {
  return AddressInput.parse({
    ...lines,
    ...(country !== undefined && { country: { iso: country } }),
    ...(state !== undefined && { state_name: state }),
  });
}

/** A customer in a batch; `id` is null until the row is inserted. */
interface PlannedCustomer extends Omit<LockedCustomer, 'id'> {
  id: number | null;
  /** Whether the VAT id or a saved address is a new one. */
  hasNewColumns: boolean;
  /** False for a new customer of whom no row is valid. */
  isValid: boolean;
}

/** An address of a row that differs from the saved one. */
interface WantedAddress {
  customer: PlannedCustomer;
  kind: Kind;
  input: AddressInput;
  current: AddressGraph | null;
}

type PlannedAddress = Pick<WantedAddress, 'customer' | 'kind'> & { values: AddressValues };

/**
 * Creates customers, and updates the VAT ids and saved addresses of those that exist. An empty VAT id leaves it. New customers have no usable password:
 * `password_digest` must be of one that was thrown away. An address changes if a cell of it differs; empty cells of a
 * whole address leave it. Rows that would change a member of staff fail, because only administrators may do so, and a file
 * does not say who sent it. Locks the users by id.
 * @returns the outcome of each row, with the id of its user
 */
export async function applyCustomerRows(
  tx: Tx,
  rows: readonly CustomerRow[],
  password_digest: string,
): Promise<RowOutcome[]> {
  const known = await lockCustomers(tx, rows.map(({ email }) => email)); // prettier-ignore
  const saved = await loadAddresses(
    tx,
    known.flatMap((user) => [user.bill_address_id, user.ship_address_id]),
  );
  const customers = new Map<string, PlannedCustomer>(
    known.map((user) => [user.email.toLowerCase(), { ...user, hasNewColumns: false, isValid: true }]),
  );
  const planned = rows.map((row) => {
    const key = row.email.toLowerCase();
    const isNew = !customers.has(key);
    const customer = customers.get(key) ?? buildNewCustomer(row.email);
    customers.set(key, customer);
    const vat_id = isBlank(row['vat_id']) || row['vat_id'] === customer.vat_id ? null : row['vat_id'];
    return { customer, isNew, vat_id, wanted: findChangedAddresses(row, customer, saved) };
  });
  const resolved = resolveAddresses(
    await getCountries(tx, await readRevisions(tx)),
    planned.flatMap(({ wanted }) => wanted),
  );
  let next = 0;
  const results = planned.map(({ customer, isNew, vat_id, wanted }) => {
    const errors: FieldErrors =
      customer.is_staff && (wanted.length > 0 || vat_id !== null)
        ? { email: ['belongs to a member of staff'] }
        : {};
    const changes: PlannedAddress[] = [];
    for (const { kind } of wanted) {
      const result = resolved[next++];
      if (result === undefined) throw new Error('an address was not resolved');
      if ('address' in result) changes.push({ customer, kind, values: result.address });
      else for (const [name, messages] of Object.entries(result.errors)) errors[`${kind}_${name}`] = messages;
    }
    if (Object.keys(errors).length > 0) return { errors };
    customer.isValid = true;
    if (vat_id !== null) Object.assign(customer, { vat_id, hasNewColumns: true });
    return { customer, changes, isChanged: isNew || vat_id !== null || changes.length > 0 };
  });
  await write(tx, {
    customers: [...customers.values()].filter(({ isValid }) => isValid),
    addresses: results.flatMap((result) => ('errors' in result ? [] : result.changes)),
    password_digest,
  });
  return results.map((result) => {
    if ('errors' in result) return buildFailure(result.errors);
    return { status: result.isChanged ? 'changed' : 'unchanged', id: result.customer.id ?? 0 };
  });
}

function buildNewCustomer(email: string): PlannedCustomer {
  const columns = { vat_id: null, bill_address_id: null, ship_address_id: null };
  return { id: null, email, ...columns, is_staff: false, hasNewColumns: false, isValid: false };
}

function findChangedAddresses(
  row: CustomerRow,
  customer: PlannedCustomer,
  saved: ReadonlyMap<number, AddressGraph>,
): WantedAddress[] {
  return KINDS.flatMap((kind) => {
    const current = saved.get(customer[`${kind}_address_id`] ?? 0) ?? null;
    const before = buildAddressCells(kind, current);
    const given = ADDRESS_CELLS.flatMap((name) => {
      const cell = row[`${kind}_${name}`];
      return cell === undefined ? [] : [[name, cell ?? ''] as const];
    });
    const isEmpty = given.every(([, cell]) => cell === '');
    const isSame = given.every(([name, cell]) => cell === before[`${kind}_${name}`]);
    if (isEmpty || isSame) return [];
    return [{ customer, kind, input: parseAddress(Object.fromEntries(given)), current }];
  });
}

async function write(
  tx: Tx,
  batch: {
    customers: readonly PlannedCustomer[];
    addresses: readonly PlannedAddress[];
    password_digest: string;
  },
): Promise<void> {
  const { customers, addresses, password_digest } = batch;
  const created = customers.filter(({ id }) => id === null);
  const ids = await insertCustomers(
    tx,
    created.map(({ email }) => ({ email, password_digest, bill_address_id: null, ship_address_id: null })),
  );
  if (ids.length < created.length) throw new Restart('another transaction created the customer');
  created.forEach((customer, at) => (customer.id = ids[at] ?? null));

  const isNew = ({ customer, kind }: PlannedAddress) => customer[`${kind}_address_id`] === null;
  // Of several rows for one new address, the last wins.
  const added = [
    ...new Map(addresses.filter(isNew).map((one) => [`${one.customer.email} ${one.kind}`, one])).values(),
  ];
  for (const one of addresses.filter((change) => !isNew(change))) {
    await updateAddress(tx, one.customer[`${one.kind}_address_id`] ?? 0, one.values);
  }
  const addressIds = await insertAddresses(tx, added.map(({ values }) => values)); // prettier-ignore
  added.forEach(({ customer, kind }, at) => {
    customer[`${kind}_address_id`] = addressIds[at] ?? null;
    customer.hasNewColumns = true;
  });
  await updateCustomers(
    tx,
    customers.flatMap(({ id, vat_id, bill_address_id, ship_address_id, hasNewColumns }) =>
      id !== null && hasNewColumns ? [{ id, vat_id, bill_address_id, ship_address_id }] : [],
    ),
  );
}
