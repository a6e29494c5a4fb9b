import { findUser } from '../../accounts/users/users.repository';
import type { Ctx } from '../context';
import { findUserId, hasScope, isAdmin, type Actor } from '../../access/actor';
import { InvalidResource, NotAuthorized } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { relaxCommit, runStatement, withTransaction, type Tx } from '../../platform/database/transaction';
import { applyInput } from '../order-input/apply-input';
import { findOtherBuyer } from '../order-input/order-attributes';
import { buildEditor } from '../order-input/editor';
import type { OrderAttributesInput } from '../order-input/checkout.schema';
import { recalculateDraft } from '../order-updater/order-updater';
import { saveDraft, type OrderDraft } from '../order-updater/order-draft';
import { buildEmptyGraph, type OrderGraph } from '../order/order-graph';
import {
  addPaymentsAndAdjustments,
  readImportedParts,
  storeShipments,
  type ImportedParts,
} from './import-order';
import { clientOf, LIMITS } from '../../access/limits';
import { rejectInvoiceOfCart, rejectAmbiguous } from './import-invoice';
import type { OrderCreateInput } from './order-input.schema';
import {
  importSale,
  IMPORT_REASON,
  insertCart,
  parseCurrency,
  parseNumber,
  readAttributes,
  type Creation,
} from './import-sale';
import type { ChangeableOrder } from '../order/sold-order-policy';
import { generateOrderToken } from '../order/order-token';
import { buildOrderInsert, type NewOrder } from '../order/new-orders.repository';
import type { ShownOrder } from '../order/orders.repository';
import { insertWithUniqueNumber } from '../order/unique-number';

/** The reason of the first history entry of a cart. */
const CREATION_REASON = 'order created';

/**
 * Creates an order in state `cart`. A signed-in customer owns it; attributes for admins are ignored from others. An
 * admin's order with another person's e-mail belongs to the user with that e-mail, or has no owner. If an admin sets
 * `completed_at`, the order was sold elsewhere: it is complete immediately, and what has not shipped takes stock. An
 * admin's payments, shipments and adjustments are stored as they are.
 * @throws InvalidResource; NotAuthorized for payments or shipments without their scopes; nothing is created then. TooManyAttempts for
 *   too many carts of guests from one address
 */
export async function createOrder(ctx: Ctx, input: OrderCreateInput): Promise<OrderGraph> {
  if (ctx.actor.kind !== 'guest') return createOwnOrder(ctx, input);
  const key = { limit: LIMITS.guestCartFromAddress, key: clientOf(ctx.clientAddress) };
  const giveBack = await ctx.limits.spend(key, 1);
  try {
    return await createOwnOrder(ctx, input);
  } catch (error) {
    await giveBack();
    throw error;
  }
}

async function createOwnOrder(ctx: Ctx, input: OrderCreateInput): Promise<OrderGraph> {
  if (!isAdmin(ctx.actor) && isEmpty(readAttributes(input))) return createEmptyCart(ctx);
  const completedAt = (isAdmin(ctx.actor) ? input.completed_at : null) ?? null;
  if (completedAt !== null && completedAt > ctx.now()) {
    throw new InvalidResource({ completed_at: ['cannot be in the future'] });
  }
  const reason = completedAt === null ? CREATION_REASON : IMPORT_REASON;
  const cause = { user_id: findUserId(ctx.actor), reason };
  const none = { adjustments: [], payments: [], shipments: [], line_items: [] };
  const parts = isAdmin(ctx.actor) ? readImportedParts(input) : none;
  authorizeParts(ctx.actor, parts);
  if (completedAt !== null) rejectAmbiguous(input);
  else if (isAdmin(ctx.actor)) rejectInvoiceOfCart(input);
  return withTransaction(ctx, async (tx) => {
    if (completedAt === null && hasNoParts(parts)) relaxCommit(tx);
    const work = { input, parts, editor: buildEditor(ctx, tx), cause };
    const cart = await insertCart(tx, await buildNewOrder(tx, ctx.actor, input), work);
    const draft =
      completedAt === null ? await fillCart(tx, cart, work) : await importSale(tx, cart, completedAt, work);
    return saveDraft(tx, draft);
  });
}

/** Creates the empty cart of a shopper. One statement without BEGIN and COMMIT. */
async function createEmptyCart(ctx: Ctx): Promise<OrderGraph> {
  const order = { ...generateOrderToken(ctx.secret), ...buildOwner(ctx.actor) };
  const cause = { user_id: findUserId(ctx.actor), reason: CREATION_REASON };
  const row = await insertWithUniqueNumber(async (moreDigits) => {
    const insert = buildOrderInsert(order, cause, moreDigits);
    const [made] = await runStatement<ShownOrder>(ctx, insert, { isRelaxed: true });
    return made;
  });
  return buildEmptyGraph(row);
}

/** Returns whether a body applies nothing to a new cart. Empty lists apply nothing. */
function isEmpty(attributes: OrderAttributesInput): boolean {
  return Object.values(attributes).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );
}

/** Payments and shipments need the scopes that their own endpoints need. @throws NotAuthorized */
function authorizeParts(actor: Actor, { payments, shipments }: ImportedParts): void {
  const isPermitted =
    (payments.length === 0 || hasScope(actor, 'payments:write')) &&
    (shipments.length === 0 || hasScope(actor, 'shipments:write'));
  if (!isPermitted) throw new NotAuthorized();
}

function hasNoParts({ adjustments, payments, shipments, line_items }: ImportedParts): boolean {
  const isPlain = line_items.every((row) => row.adjustments === undefined);
  return isPlain && adjustments.length + payments.length + shipments.length === 0;
}

/** Applies the attributes to a new cart. An admin's payments, shipments and adjustments are stored too. */
async function fillCart(
  tx: Tx,
  cart: OrderDraft<ChangeableOrder>,
  { input, parts, editor, cause }: Creation,
): Promise<OrderDraft> {
  const filled = await applyInput(
    tx,
    cart,
    { attributes: readAttributes(input), payment: null, cause },
    editor,
  );
  if (hasNoParts(parts)) return filled;
  const { draft, ids } =
    parts.shipments.length > 0
      ? await storeShipments(tx, filled, parts, { editor, cause })
      : { draft: filled, ids: [] };
  return recalculateDraft(
    tx,
    await addPaymentsAndAdjustments(tx, draft, { parts, shipments: ids }, cause),
    cause,
  );
}

/** Builds the columns of a new order, without its contents. */
async function buildNewOrder(
  tx: Tx,
  actor: Actor,
  input: OrderCreateInput,
): Promise<Pick<NewOrder, 'user_id' | 'email' | 'number' | 'channel' | 'currency'>> {
  const own = buildOwner(actor);
  if (!isAdmin(actor)) return own;
  const { user_id, number, channel, currency } = input;
  return {
    ...own,
    ...(user_id === undefined ? await findOtherBuyer(tx, actor, input.email) : await loadOwner(tx, user_id)),
    ...(!isBlank(number) && { number: parseNumber(number) }),
    ...(!isBlank(channel) && { channel }),
    ...(!isBlank(currency) && { currency: parseCurrency(currency) }),
  };
}

/** Builds the owner of an order that the actor creates for themselves. Guests own none. */
function buildOwner(actor: Actor): Pick<NewOrder, 'user_id' | 'email'> {
  return { user_id: findUserId(actor), email: actor.kind === 'guest' ? null : actor.email };
}

/** Returns the owner of a new order and their e-mail address. Null: the order has no owner, like those of guests. */
async function loadOwner(tx: Tx, id: number | null): Promise<Pick<NewOrder, 'user_id' | 'email'>> {
  if (id === null) return { user_id: null, email: null };
  const user = await findUser(tx, id);
  if (user === undefined) throw new InvalidResource({ user_id: ['is invalid'] });
  return { user_id: id, email: user.email };
}
