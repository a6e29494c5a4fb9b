import { keepByRevision } from '../reference-revisions.repository';
import type { Db } from '../../platform/database/knex';
import { composeStatement } from '../../platform/database/prepared';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import type { CountryRow } from '../countries/countries.definition';
import type { StateRow } from '../countries/states.definition';
import { ADDRESS_LINES, type ValidAddress } from './address-rules';

/** The columns of an address, validated by `checkAddress`. */
export type AddressValues = ValidAddress;

export interface AddressRow extends AddressValues {
  id: number;
}

/** An address with its country and, if it is known, its state. */
export interface AddressGraph extends AddressRow {
  country: CountryRow;
  state: StateRow | null;
}

/** Loads the existing addresses among `ids`, by id, with country and state. One query. */
export async function loadAddresses(
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, AddressGraph>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const found = await db.raw<{ rows: AddressGraph[] }>(
    `SELECT addresses.*, row_to_json(countries) AS country, row_to_json(states) AS state
       FROM addresses
       JOIN countries ON countries.id = addresses.country_id
       LEFT JOIN states ON states.id = addresses.state_id
      WHERE addresses.id = ANY(?)`,
    [wanted],
  );
  return new Map(found.rows.map((address) => [address.id, address]));
}

/** Finds an address; null if it does not exist or `id` is null. */
export async function findAddress(db: Db, id: number | null): Promise<AddressGraph | null> {
  return (await loadAddresses(db, [id])).get(id ?? 0) ?? null;
}

const COLUMNS = [...ADDRESS_LINES, 'country_id', 'state_id', 'state_name'] as const;

/** The columns of an address except its id, for statements that copy addresses. */
export const ADDRESS_COLUMNS = COLUMNS.join(', ');

/** Picks `ADDRESS_COLUMNS`, in their order, so that other fields of the record do not reach the table. */
function pickColumns(values: AddressValues): AddressValues {
  // Object.fromEntries loses the types of the keys.
  return Object.fromEntries(COLUMNS.map((name) => [name, values[name]])) as unknown as AddressValues;
}

/** Builds a stored address with its country and state. */
export function buildAddressGraph(
  id: number,
  values: AddressValues,
  countries: readonly CountryWithStates[],
): AddressGraph {
  const found = countries.find((country) => country.id === values.country_id);
  if (found === undefined) throw new Error(`country ${values.country_id} does not exist`);
  const { states, ...country } = found;
  const state = states.find((one) => one.id === values.state_id) ?? null;
  return { id, ...pickColumns(values), country, state };
}

/** Inserts addresses; the row of an address creates a copy. One statement. @returns the new ids, in order */
export async function insertAddresses(tx: Tx, addresses: readonly AddressValues[]): Promise<number[]> {
  if (addresses.length === 0) return [];
  const rows = addresses.map((address) => COLUMNS.map((name) => address[name]));
  const placeholders = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
  const inserted = await tx.query<{ id: number }>(
    composeStatement(`INSERT INTO addresses (${ADDRESS_COLUMNS}) VALUES ${placeholders} RETURNING id`),
    rows.flat(),
  );
  return inserted.map(({ id }) => id);
}

/** Inserts an address. @returns its id */
export async function insertAddress(tx: Tx, values: AddressValues): Promise<number> {
  return requireRow(await insertAddresses(tx, [values]));
}

/** Updates all columns of an address, including null ones. */
export async function updateAddress(tx: Tx, id: number, values: AddressValues): Promise<void> {
  await tx('addresses').where({ id }).update(pickColumns(values));
}

/** Deletes addresses, which must not be referenced. */
export async function deleteAddresses(tx: Tx, ids: readonly (number | null)[]): Promise<void> {
  await tx('addresses')
    .whereIn(
      'id',
      ids.filter((id) => id !== null),
    )
    .delete();
}

/** A country with all of its states. */
export type CountryWithStates = CountryRow & { states: StateRow[] };

/** Returns all countries with their states. Kept in memory. */
export const getCountries = keepByRevision('countries', async (db) => {
  const { rows } = await db.raw<{ rows: { country: CountryRow; states: StateRow[] }[] }>(
    `SELECT row_to_json(c) AS country, coalesce((SELECT json_agg(s) FROM states s WHERE s.country_id = c.id), '[]') AS states
       FROM countries c ORDER BY c.id`,
  );
  return rows.map(({ country, states }): CountryWithStates => ({ ...country, states }));
});
