import { isDeepStrictEqual } from 'node:util';
import type { LockedId } from '../../platform/database/locked';
import type { Ctx } from '../context';
import { InvalidResource, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { UseCasesOf } from '../../platform/resource/use-cases';
import { openCredentials, sealCredentials } from '../payment-processing/gateways/credentials';
import type { GatewayDefinition } from '../payment-processing/gateways/gateway';
import { PaymentMethod, type PaymentMethodSettings } from './payment-methods.definition';
import {
  findPaymentMethod,
  findPaymentMethodPage,
  insertPaymentMethod,
  isPaymentMethodUsed,
  lockPaymentMethod,
  findNextPosition,
  paymentMethodRecords,
  sealPlainCredentials,
  updatePaymentMethod,
  type Credentials,
} from './payment-methods.repository';

export const paymentMethods: UseCasesOf<Ctx, typeof PaymentMethod, PaymentMethodSettings> = {
  /** Returns one page of all methods, also inactive ones. */
  list: (ctx, list) => findPaymentMethodPage(ctx.db, list),
  get: (ctx, id) => getPaymentMethod(ctx.db, id),

  /** Creates a payment method. @throws InvalidResource when the gateway does not exist */
  create: async (ctx, attributes) => {
    const definition = requireGateway(ctx, attributes.gateway);
    const { method_type } = definition;
    return withTransaction(ctx, async (tx) => {
      const values = PaymentMethod.newValues(attributes);
      const position = values.position ?? (await findNextPosition(tx));
      const preferences = checkCredentials(definition, mergeCredentials({}, attributes.preferences));
      return getPaymentMethod(
        tx,
        await insertPaymentMethod(
          tx,
          { ...values, method_type, position },
          sealCredentials(ctx.secret, preferences),
        ),
      );
    });
  },

  /**
   * Updates a payment method. Omitted credentials are kept, unless the gateway changes: another provider must not
   * receive them. Locks the method.
   * @throws NotFound; InvalidResource when the gateway does not exist, or changes although payments use the method
   */
  update: async (ctx, id, changes) => {
    const { gateway } = changes;
    const method_type = gateway === undefined ? undefined : requireGateway(ctx, gateway).method_type;
    return withTransaction(ctx, async (tx) => {
      const method = requireFound(await lockPaymentMethod(tx, id));
      const hasNewGateway = gateway !== undefined && gateway !== method.gateway;
      if (hasNewGateway) await refuseGatewayChange(tx, method);
      const stored = openCredentials(ctx.secret, method.preferences);
      const credentials = checkCredentials(
        ctx.gateways[gateway ?? method.gateway],
        mergeCredentials(hasNewGateway ? {} : stored, changes.preferences),
      );
      await updatePaymentMethod(
        tx,
        method,
        { ...PaymentMethod.changedValues(changes), ...omitUndefined({ method_type }) },
        // Sealed anew, they would differ, and the audit log would name them as changed.
        isDeepStrictEqual(credentials, stored)
          ? method.preferences
          : sealCredentials(ctx.secret, credentials),
      );
      return getPaymentMethod(tx, id);
    });
  },

  /** Deletes a payment method. Its payments can still be captured, voided and credited. */
  delete: (ctx, id) => withTransaction(ctx, (tx) => paymentMethodRecords.delete(tx, id, ctx.now())),
};

/**
 * Seals the credentials that earlier versions stored as they were. Safe on several instances at once.
 * @returns how many payment methods had such
 */
export async function sealStoredCredentials(deps: Pick<Ctx, 'db' | 'secret'>): Promise<number> {
  return withTransaction(deps, (tx) =>
    sealPlainCredentials(tx, (credentials) => sealCredentials(deps.secret, credentials)),
  );
}

async function getPaymentMethod(db: Db, id: number): Promise<PaymentMethodSettings> {
  return requireFound(await findPaymentMethod(db, id));
}

function requireGateway(ctx: Ctx, name: string): GatewayDefinition {
  const definition = Object.hasOwn(ctx.gateways, name) ? ctx.gateways[name] : undefined;
  if (definition === undefined) throw new InvalidResource({ gateway: ['is not included in the list'] });
  return definition;
}

/** Throws if the method is in use: only the gateway that authorized a payment can capture and credit it. */
async function refuseGatewayChange(tx: Tx, { id }: LockedId): Promise<void> {
  if (await isPaymentMethodUsed(tx, id)) {
    throw new InvalidResource({ gateway: ['cannot be changed once payments were made with it'] });
  }
}

/**
 * Merges new credentials into the stored ones. Undefined keeps all, null removes all; a null value removes that one.
 */
function mergeCredentials(
  stored: Record<string, unknown>,
  given: Credentials | null | undefined,
): Record<string, unknown> {
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null));
}

/** @throws InvalidResource for a gateway that cannot work without what is missing */
function checkCredentials(
  definition: GatewayDefinition | undefined,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const { required = [] } = definition?.credentials ?? {};
  const missing = required.filter((name) => given[name] === undefined || given[name] === '');
  if (missing.length === 0) return given;
  throw new InvalidResource({ preferences: missing.map((name) => `${name} can't be blank`) });
}
