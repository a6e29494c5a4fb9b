import { findUser } from '../../accounts/users/users.repository';
import type { Ctx } from '../context';
import { findUserId, hasScope, isAdmin, type Actor } from '../../access/actor';
import { InvalidResource, NotAuthorized } from '../../platform/errors';
import { checkAllRead } from '../../platform/all-read';
import { isBlank } from '../../platform/blank';
import { relaxCommit, runStatement, withTransaction, type Tx } from '../../platform/database/transaction';
import { perform, throwIfRefused, type PerformerOf } from '../../platform/perform';
import { applyInput } from '../order-input/apply-input';
import { findOtherBuyer } from '../order-input/order-attributes';
import { buildEditor, type Editor } from '../order-input/editor';
import type { OrderAttributesInput } from '../order-input/checkout.schema';
import { recalculate } from '../order-updater/recalculate-order';
import {
  createDraft,
  patchDraft,
  reloadDraft,
  saveDraft,
  type OrderDraft,
} from '../order-updater/order-draft';
import type { OrderPatch } from '../order-updater/order-draft';
import type { Cause } from '../order/state-changes.repository';
import { orderMachine } from '../order/order.machine';
import { effects, buildOrderFacts, type EventContext, type OrderStep } from './order.effects';
import { buildEmptyGraph, type OrderGraph } from '../order/order-graph';
import {
  importContents,
  readImportedParts,
  storePaymentsAndAdjustments,
  storeShipments,
  type ImportedParts,
} from './import-order';
import { clientOf, LIMITS } from '../../access/limits';
import { keepInvoice, rejectInvoiceOfCart, rejectAmbiguous } from './import-invoice';
import type { OrderCreateInput } from './order-input.schema';
import { isReachableNumber } from '../order/numbers';
import { markNewOrderAsLocked } from '../order/order-lock';
import { authorizeOrderChange, type ChangeableOrder } from '../order/sold-order-policy';
import { generateOrderToken } from '../order/order-token';
import { buildOrderInsert, insertOrder, type NewOrder } from '../order/new-orders.repository';
import type { ShownOrder } from '../order/orders.repository';
import { insertWithUniqueNumber } from '../order/unique-number';

/** The format of an order number, which is used in paths. */
const NUMBER = /^[A-Z0-9_-]{1,32}$/;

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
  const reason = completedAt === null ? CREATION_REASON : 'order imported';
  const cause = { user_id: findUserId(ctx.actor), reason };
  const none = { adjustments: [], payments: [], shipments: [], line_items: [] };
  const parts = isAdmin(ctx.actor) ? readImportedParts(input) : none;
  authorizeParts(ctx.actor, parts);
  if (completedAt === null) rejectInvoiceOfCart(input);
  else rejectAmbiguous(input);
  return withTransaction(ctx, async (tx) => {
    if (completedAt === null && hasNoParts(parts)) await relaxCommit(tx);
    const row = await insertOrder(
      tx,
      { ...generateOrderToken(ctx.secret), ...(await buildNewOrder(tx, ctx.actor, input)) },
      cause,
    );
    const cart = createDraft(
      authorizeOrderChange(ctx.actor, { ...buildEmptyGraph(row), ...markNewOrderAsLocked(row) }),
    );
    const work = { input, parts, editor: buildEditor(ctx, tx), cause };
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

/** What the steps of a creation share. */
interface Creation {
  input: OrderCreateInput;
  parts: ImportedParts;
  editor: Editor;
  cause: Cause;
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
  const { order } = filled;
  const lines = order.line_items.map(({ id, variant_id, quantity }) => ({
    ...{ line_item_id: id, variant_id, quantity },
  }));
  const shipments =
    parts.shipments.length > 0 ? await storeShipments(tx, order, { lines, parts }, { editor, cause }) : [];
  const stored = shipments.length > 0 ? await reloadDraft(tx, filled) : filled;
  await storePaymentsAndAdjustments(tx, stored.order, { parts, shipments }, cause);
  return recalculate(tx, await reloadDraft(tx, filled), cause);
}

/** Completes a new order that was sold elsewhere, and stores everything that belongs to it. */
async function importSale(
  tx: Tx,
  cart: OrderDraft<ChangeableOrder>,
  completedAt: Date,
  { input, parts, editor, cause }: Creation,
): Promise<OrderDraft> {
  const sold = await completeImport(tx, cart, { completedAt, context: editor, cause });
  const shipments = await importContents(tx, sold.order, { input, parts }, { editor, cause });
  const attributes = { ...readAttributes(input), line_items: undefined, line_items_attributes: undefined };
  const filled = await applyInput(
    tx,
    await reloadDraft(tx, sold),
    { attributes, payment: null, cause },
    editor,
  );
  await storePaymentsAndAdjustments(tx, filled.order, { parts, shipments }, cause);
  await keepInvoice(tx, filled.order, input);
  return recalculate(tx, await reloadDraft(tx, filled), cause);
}

/** What only admins send: the identity of an order, and what `ImportedParts` and its invoice are read from. */
type OfAdmins =
  | ('user_id' | 'number' | 'channel' | 'currency' | 'completed_at')
  | ('invoice_number' | 'invoiced_at' | 'documents')
  | `${keyof Omit<ImportedParts, 'line_items'>}${'' | '_attributes'}`;

/** Returns the attributes that updates of an order accept, too. */
function readAttributes(input: Omit<OrderCreateInput, OfAdmins>): OrderAttributesInput {
  const { email, special_instructions, vat_id, metadata, public_metadata, ...parts } = input;
  const { bill_address, bill_address_attributes, ship_address, ship_address_attributes, ...lines } = parts;
  const { line_items, line_items_attributes, ...left } = lines;
  checkAllRead(left);
  return {
    // The owner is already set. A blank e-mail keeps the owner's.
    email: isBlank(email) ? undefined : email,
    special_instructions,
    vat_id,
    bill_address,
    bill_address_attributes,
    ship_address,
    ship_address_attributes,
    line_items,
    line_items_attributes,
    metadata,
    public_metadata,
  };
}

/** Completes a new order. */
async function completeImport(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  { completedAt, context, cause }: { completedAt: Date; context: EventContext; cause: Cause },
): Promise<OrderDraft<ChangeableOrder>> {
  const { order } = draft;
  const ending = throwIfRefused(
    await perform(importer, 'import', {
      ...{ tx, order, patch: {}, draft, context, cause, completedAt },
    }),
  );
  return ending.ended === 'unchanged' ? draft : patchDraft(draft, ending.written, cause);
}

const importer: PerformerOf<typeof orderMachine, OrderStep, OrderPatch> = {
  machine: orderMachine,
  read: ({ order }) => ({ state: order.state, facts: buildOrderFacts(order) }),
  effects,
  // Saving the draft writes these columns, and the history of the state.
  write: ({ patch }, { to }) => Promise.resolve({ ...patch, ...(to !== null && { state: to }) }),
};

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

function parseNumber(text: string): string {
  const number = text.toUpperCase();
  if (!NUMBER.test(number) || !isReachableNumber(number))
    throw new InvalidResource({ number: ['is invalid'] });
  return number;
}

function parseCurrency(text: string): string {
  const code = text.toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) {
    throw new InvalidResource({ currency: ['is invalid'] });
  }
  return code;
}
