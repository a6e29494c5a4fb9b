import type { Locked, LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import type { Scalar } from '../../platform/parameters';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import type { ValuesOf } from '../../platform/resource/definition';
import { createRecords } from '../../platform/resource/records';
import type { StoredCredentials } from '../payment-processing/gateways/credentials';
import { PaymentMethod, type PaymentMethodSettings } from './payment-methods.definition';

/** Soft deletion keeps the row and its credentials: its payments can still be captured, voided and credited. */
export const paymentMethodRecords = createRecords(PaymentMethod);

export type Credentials = Record<string, Scalar | null>;

type Written = ValuesOf<typeof PaymentMethod> & Pick<PaymentMethodSettings, 'method_type'>;

const COLUMNS = [...PaymentMethod.columns, 'payment_methods.method_type'];
const HAS_PREFERENCES = `payment_methods.preferences <> '{}' AS has_preferences`;

const selectMethods = (db: Db) => db('payment_methods').whereNull('payment_methods.deleted_at');

/** Returns one page of all methods that are not deleted, including inactive ones and those for the back end. */
export async function findPaymentMethodPage(db: Db, list: ListQuery): Promise<Page<PaymentMethodSettings>> {
  const matching = applyFilters(selectMethods(db), list, PaymentMethod.search);
  const rows = await applySortAndPage(
    matching.clone().select<PaymentMethodSettings[]>(COLUMNS).select(db.raw(HAS_PREFERENCES)),
    list,
    PaymentMethod.search,
  );
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** Returns a payment method. Undefined also if it is deleted. */
export async function findPaymentMethod(db: Db, id: number): Promise<PaymentMethodSettings | undefined> {
  return selectMethods(db)
    .where({ id })
    .first<PaymentMethodSettings | undefined>([...COLUMNS, db.raw(HAS_PREFERENCES)]);
}

/**
 * Locks a payment method and returns its gateway and credentials. Until the transaction ends, no payment can use it.
 */
export async function lockPaymentMethod(tx: Tx, id: number): Promise<LockedPaymentMethod | undefined> {
  return selectMethods(tx)
    .where({ id })
    .forUpdate()
    .first<LockedPaymentMethod | undefined>(['id', 'gateway', 'preferences']);
}

type LockedPaymentMethod = Locked<{ id: number; gateway: string; preferences: StoredCredentials }>;

/** Returns the position after the last method. */
export async function findNextPosition(db: Db): Promise<number> {
  const last = await selectMethods(db).max<{ max: number | null }[]>('position');
  return Math.min((last[0]?.max ?? 0) + 1, MAX_INT4);
}

/** Stores a payment method with its sealed credentials and returns its id. */
export async function insertPaymentMethod(
  tx: Tx,
  method: Written,
  preferences: StoredCredentials,
): Promise<number> {
  const rows = await tx('payment_methods')
    .insert({ ...method, preferences: JSON.stringify(preferences) })
    .returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Updates a payment method; `preferences` replace all credentials. */
export async function updatePaymentMethod(
  tx: Tx,
  { id }: LockedId,
  patch: Partial<Written>,
  preferences: StoredCredentials,
): Promise<void> {
  await tx('payment_methods')
    .where({ id })
    .update({ ...patch, preferences: JSON.stringify(preferences) });
}

/** Returns whether a payment or a stored card uses the method. */
export async function isPaymentMethodUsed(db: Db, id: number): Promise<boolean> {
  const found = await db.raw<{ rows: { used: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM payments WHERE payment_method_id = :id)
         OR EXISTS (SELECT FROM credit_cards WHERE payment_method_id = :id) AS used`,
    { id },
  );
  return found.rows[0]?.used ?? true;
}

/** Seals the credentials that earlier versions stored as they were. @returns how many methods had such */
export async function sealPlainCredentials(
  tx: Tx,
  seal: (credentials: StoredCredentials) => StoredCredentials,
): Promise<number> {
  const methods = await tx('payment_methods')
    .whereRaw(`preferences <> '{}' AND NOT jsonb_exists(preferences, 'sealed')`)
    .orderBy('id')
    .forUpdate()
    .select<{ id: number; preferences: StoredCredentials }[]>('id', 'preferences');
  for (const { id, preferences } of methods)
    await tx('payment_methods')
      .where({ id })
      .update({ preferences: JSON.stringify(seal(preferences)) });
  return methods.length;
}
