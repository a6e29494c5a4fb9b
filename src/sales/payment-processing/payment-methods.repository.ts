import { isAdmin, type Actor } from '../../access/actor';
import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import type { Scalar } from '../../platform/http/fields';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { paymentMethodSearch } from './payment-methods.search';

export interface PaymentMethodRow {
  id: number;
  name: string;
  description: string | null;
  gateway: string;
  method_type: 'gateway' | 'check';
  display_on: 'both' | 'back_end';
  active: boolean;
  /** Null follows the store's setting. */
  auto_capture: boolean | null;
  /** Gateway credentials: for gateways only, never for a reply. */
  preferences: unknown;
  position: number;
}

/** A payment method without its credentials, which nobody but the gateway is ever given. */
export interface PaymentMethodSettings extends Omit<PaymentMethodRow, 'preferences'> {
  has_preferences: boolean;
}

export type Credentials = Record<string, Scalar | null>;

export type PaymentMethodValues = Omit<PaymentMethodSettings, 'id' | 'has_preferences'>;

const COLUMNS = [
  'payment_methods.id',
  'payment_methods.name',
  'payment_methods.description',
  'payment_methods.gateway',
  'payment_methods.method_type',
  'payment_methods.display_on',
  'payment_methods.active',
  'payment_methods.auto_capture',
  'payment_methods.position',
] as const;

const HAS_PREFERENCES = `payment_methods.preferences <> '{}' AS has_preferences`;

/** Those that were not deleted. */
const live = (db: Db) => db('payment_methods').whereNull('payment_methods.deleted_at');

/** One page of them all, those for the back end and inactive ones too. */
export async function findPaymentMethodPage(db: Db, list: ListQuery): Promise<Page<PaymentMethodSettings>> {
  const matching = applyFilters(live(db), list, paymentMethodSearch);
  const rows = await applySortAndPage(
    matching.clone().select<PaymentMethodSettings[]>(COLUMNS).select(db.raw(HAS_PREFERENCES)),
    list,
    paymentMethodSearch,
  );
  return pageOf(rows, await countAll(matching, rows.length, list), list);
}

/** Undefined also when it was deleted. */
export async function findPaymentMethod(db: Db, id: number): Promise<PaymentMethodSettings | undefined> {
  return live(db)
    .where({ id })
    .first<PaymentMethodSettings | undefined>([...COLUMNS, db.raw(HAS_PREFERENCES)]);
}

/** Its credentials and gateway; nobody can begin to pay by it, or change it, before the transaction ends. */
export async function lockPaymentMethod(
  tx: Tx,
  id: number,
): Promise<{ gateway: string; preferences: Credentials } | undefined> {
  return live(tx)
    .where({ id })
    .forUpdate()
    .first<{ gateway: string; preferences: Credentials } | undefined>(['gateway', 'preferences']);
}

/** Where a method goes that names no position of its own: after all others. */
export async function nextPosition(db: Db): Promise<number> {
  const last = await live(db).max<{ max: number | null }[]>('position');
  return Math.min((last[0]?.max ?? 0) + 1, MAX_INT4);
}

/** @returns the new id */
export async function insertPaymentMethod(
  tx: Tx,
  method: PaymentMethodValues,
  preferences: Credentials,
): Promise<number> {
  const rows = await tx('payment_methods')
    .insert({ ...method, preferences: JSON.stringify(preferences) })
    .returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** Expects the method locked; `preferences` are all it has from now on. */
export async function updatePaymentMethod(
  tx: Tx,
  id: number,
  patch: Partial<PaymentMethodValues>,
  preferences: Credentials,
): Promise<void> {
  await tx('payment_methods')
    .where({ id })
    .update({ ...patch, preferences: JSON.stringify(preferences) });
}

/** Whether anything was ever paid by it, or a card kept at its gateway. */
export async function isPaymentMethodUsed(db: Db, id: number): Promise<boolean> {
  const found = await db.raw<{ rows: { used: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM payments WHERE payment_method_id = :id)
         OR EXISTS (SELECT FROM credit_cards WHERE payment_method_id = :id) AS used`,
    { id },
  );
  return found.rows[0]?.used ?? true;
}

/** The row stays, credentials too: payments made with it must still be captured, voided and credited. */
export async function markPaymentMethodDeleted(tx: Tx, id: number, at: Date): Promise<number> {
  return live(tx).where({ id }).update({ deleted_at: at });
}

/** The ways to pay this caller may use: active ones, for shoppers only those not kept for the back end. */
export async function findOfferedPaymentMethods(db: Db, actor: Actor): Promise<PaymentMethodRow[]> {
  return offeredTo(db, actor).orderBy(['position', 'id']);
}

/** One of the ways to pay this caller may use. */
export async function findOfferedPaymentMethod(
  db: Db,
  actor: Actor,
  id: number,
): Promise<PaymentMethodRow | undefined> {
  return offeredTo(db, actor).where({ id }).first();
}

function offeredTo(db: Db, actor: Actor) {
  const offered = db<PaymentMethodRow>('payment_methods').where({ active: true }).whereNull('deleted_at');
  return isAdmin(actor) ? offered : offered.whereNot({ display_on: 'back_end' });
}
