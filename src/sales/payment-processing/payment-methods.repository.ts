import { isAdmin, type Actor } from '../../access/actor';
import type { Db } from '../../platform/database/knex';

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

/** The ways to pay this caller may use: active ones, for shoppers only those not kept for the back end. */
export async function findOfferedPaymentMethods(db: Db, actor: Actor): Promise<PaymentMethodRow[]> {
  return selectOfferedMethods(db, actor).orderBy(['position', 'id']);
}

/** One of the ways to pay this caller may use. */
export async function findOfferedPaymentMethod(
  db: Db,
  actor: Actor,
  id: number,
): Promise<PaymentMethodRow | undefined> {
  return selectOfferedMethods(db, actor).where({ id }).first();
}

function selectOfferedMethods(db: Db, actor: Actor) {
  const offered = db<PaymentMethodRow>('payment_methods').where({ active: true }).whereNull('deleted_at');
  return isAdmin(actor) ? offered : offered.whereNot({ display_on: 'back_end' });
}
