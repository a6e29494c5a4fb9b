import type { Ctx } from '../context';
import { InvalidResource, NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { GatewayDefinition } from '../payment-processing/gateways/gateway';
import {
  findPaymentMethod,
  findPaymentMethodPage,
  insertPaymentMethod,
  isPaymentMethodUsed,
  lockPaymentMethod,
  markPaymentMethodDeleted,
  nextPosition,
  updatePaymentMethod,
  type Credentials,
  type PaymentMethodSettings,
} from '../payment-processing/payment-methods.repository';
import type { PaymentMethodAttributes, PaymentMethodChanges } from './payment-methods.schema';

/** All ways to pay, by position, offered or not. */
export async function listPaymentMethods(ctx: Ctx, list: ListQuery): Promise<Page<PaymentMethodSettings>> {
  return findPaymentMethodPage(ctx.db, list);
}

/** @throws NotFound also when it was deleted */
export async function getPaymentMethod(ctx: Ctx, id: number): Promise<PaymentMethodSettings> {
  return mustFind(ctx.db, id);
}

async function mustFind(db: Db, id: number): Promise<PaymentMethodSettings> {
  const method = await findPaymentMethod(db, id);
  if (method === undefined) throw new NotFound();
  return method;
}

/** Makes a way to pay. @throws InvalidResource when the program has no such gateway */
export async function createPaymentMethod(
  ctx: Ctx,
  attributes: PaymentMethodAttributes,
): Promise<PaymentMethodSettings> {
  const { name, gateway, description = null, auto_capture = null } = attributes;
  const { method_type } = requireGateway(ctx, gateway);
  return withTransaction(ctx, async (tx) => {
    const values = {
      ...{ name, description, gateway, method_type, auto_capture },
      active: attributes.active ?? true,
      display_on: attributes.display_on ?? 'both',
      position: attributes.position ?? (await nextPosition(tx)),
    };
    return mustFind(tx, await insertPaymentMethod(tx, values, merged({}, attributes.preferences)));
  });
}

/**
 * Changes a way to pay. Credentials left out stay, unless the gateway changes: another provider is not given them.
 * Locks the method.
 * @throws NotFound; InvalidResource, also for another gateway once anything was paid by this one
 */
export async function changePaymentMethod(
  ctx: Ctx,
  id: number,
  changes: PaymentMethodChanges,
): Promise<PaymentMethodSettings> {
  const { name, description, gateway, auto_capture } = changes;
  const method_type = gateway === undefined ? undefined : requireGateway(ctx, gateway).method_type;
  return withTransaction(ctx, async (tx) => {
    const method = await lockPaymentMethod(tx, id);
    if (method === undefined) throw new NotFound();
    const moves = gateway !== undefined && gateway !== method.gateway;
    if (moves) await refuseMoving(tx, id);
    // Null clears no switch: it leaves it as it is.
    const active = changes.active ?? undefined;
    const display_on = changes.display_on ?? undefined;
    const position = changes.position ?? undefined;
    await updatePaymentMethod(
      tx,
      id,
      {
        ...defined({ name, description, gateway, method_type, auto_capture }),
        ...defined({ active, display_on, position }),
      },
      merged(moves ? {} : method.preferences, changes.preferences),
    );
    return mustFind(tx, id);
  });
}

/** No longer offered from now on; what was paid by it can still be captured, voided and credited. @throws NotFound */
export async function removePaymentMethod(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await markPaymentMethodDeleted(tx, id, ctx.now())) === 0) throw new NotFound();
  });
}

function requireGateway(ctx: Ctx, name: string): GatewayDefinition {
  const definition = Object.hasOwn(ctx.gateways, name) ? ctx.gateways[name] : undefined;
  if (definition === undefined) throw new InvalidResource({ gateway: ['is not included in the list'] });
  return definition;
}

/** A payment is captured and credited by whoever authorized it, so its method cannot go over to somebody else. */
async function refuseMoving(tx: Tx, id: number): Promise<void> {
  if (await isPaymentMethodUsed(tx, id)) {
    throw new InvalidResource({ gateway: ['cannot be changed once payments were made with it'] });
  }
}

/** Undefined leaves them all, null removes them all; a null among `given` removes that one. */
function merged(stored: Credentials, given: Credentials | null | undefined): Credentials {
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null));
}
