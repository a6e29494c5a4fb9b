import { GUEST, isAdmin, type Actor } from '../../access/actor';
import {
  keepByRevision,
  readRevisions,
  type ReferenceRevisions,
} from '../../geography/reference-revisions.repository';
import type { Db } from '../../platform/database/knex';

export interface PaymentMethodRow {
  id: number;
  name: string;
  description: string | null;
  gateway: string;
  method_type: 'gateway' | 'check';
  display_on: 'both' | 'back_end';
  active: boolean;
  /** Null: the store's setting applies. */
  auto_capture: boolean | null;
  /** Gateway credentials. Never include them in a response. */
  preferences: unknown;
  position: number;
  deleted_at: Date | null;
}

/** Returns the active payment methods that the actor may use. Those for the back end are for admins only. */
export async function findOfferedPaymentMethods(db: Db, actor: Actor): Promise<PaymentMethodRow[]> {
  return selectOfferedMethods(db, actor).orderBy(['position', 'id']);
}

/** Returns a payment method, if it is active and the actor may use it. */
export async function findOfferedPaymentMethod(
  db: Db,
  actor: Actor,
  id: number,
): Promise<PaymentMethodRow | undefined> {
  return selectOfferedMethods(db, actor).where({ id }).first();
}

const keptMethods = keepByRevision('payment_methods', async (db) => {
  const rows = await db<PaymentMethodRow>('payment_methods').orderBy(['position', 'id']);
  return new Map(rows.map((row) => [row.id, row]));
});

/** Returns all payment methods by their ids, in their order, kept in memory; payments of deleted ones remain. */
export async function getPaymentMethods(
  db: Db,
  revisions: ReferenceRevisions,
): Promise<ReadonlyMap<number, PaymentMethodRow>> {
  return keptMethods(db, revisions);
}

/** Returns the methods of `findOfferedPaymentMethods`, kept in memory. */
export async function getOfferedPaymentMethods(
  db: Db,
  revisions: ReferenceRevisions,
  actor: Actor,
): Promise<PaymentMethodRow[]> {
  const methods = [...(await keptMethods(db, revisions)).values()];
  const offered = methods.filter(({ active, deleted_at }) => active && deleted_at === null);
  return isAdmin(actor) ? offered : offered.filter(({ display_on }) => display_on !== 'back_end');
}

/** Returns the gateways of the methods that guests may use, kept in memory. One statement. */
export async function listOfferedGateways(db: Db): Promise<string[]> {
  const methods = await getOfferedPaymentMethods(db, await readRevisions(db), GUEST);
  return methods.map(({ gateway }) => gateway);
}

function selectOfferedMethods(db: Db, actor: Actor) {
  const offered = db<PaymentMethodRow>('payment_methods').where({ active: true }).whereNull('deleted_at');
  return isAdmin(actor) ? offered : offered.whereNot({ display_on: 'back_end' });
}
