import { checkAllRead } from '../../platform/all-read';
import { InvalidResource } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { isCurrency } from '../../platform/money';
import type { Tx } from '../../platform/database/transaction';
import { perform, throwIfRefused, type PerformerOf } from '../../platform/perform';
import { applyInput } from '../order-input/apply-input';
import type { OrderAttributesInput } from '../order-input/checkout.schema';
import type { Editor } from '../order-input/editor';
import { createDraft, patchDraft, type OrderDraft, type OrderPatch } from '../order-updater/order-draft';
import { recalculateDraft } from '../order-updater/order-updater';
import { isReachableNumber } from '../order/numbers';
import { orderMachine } from '../order/order.machine';
import { insertOrder, type NewOrder } from '../order/new-orders.repository';
import { loadOrderGraph } from '../order/load-order-graph';
import { markNewOrderAsLocked } from '../order/order-lock';
import { generateOrderToken } from '../order/order-token';
import { authorizeOrderChange, type ChangeableOrder } from '../order/sold-order-policy';
import type { Cause } from '../order/state-changes.repository';
import { keepInvoice } from './import-invoice';
import { addPaymentsAndAdjustments, importContents, type ImportedParts } from './import-order';
import type { OrderCreateInput } from './order-input.schema';
import { buildOrderFacts, effects, type EventContext, type OrderStep } from './order.effects';

/** The format of an order number, which is used in paths. */
const NUMBER = /^[A-Z0-9_-]{1,32}$/;

/** Why a sale has its first history entry. */
export const IMPORT_REASON = 'order imported';

/** What the steps of a creation share. */
export interface Creation {
  input: OrderCreateInput;
  parts: ImportedParts;
  editor: Editor;
  cause: Cause;
}

/**
 * Inserts a new cart of what the actor enters.
 * @throws the unique violation if `order.number` is taken
 */
export async function insertCart(
  tx: Tx,
  order: Omit<NewOrder, 'token_seed' | 'token_hash'>,
  { editor, cause }: Pick<Creation, 'editor' | 'cause'>,
): Promise<OrderDraft<ChangeableOrder>> {
  const row = await insertOrder(tx, { ...generateOrderToken(editor.secret), ...order }, cause);
  const graph = await loadOrderGraph(tx, row.id);
  return createDraft(authorizeOrderChange(editor.actor, { ...graph, ...markNewOrderAsLocked(row) }));
}

/** Completes a new order that was sold elsewhere, and stores everything that belongs to it. */
export async function importSale(
  tx: Tx,
  cart: OrderDraft<ChangeableOrder>,
  completedAt: Date,
  { input, parts, editor, cause }: Creation,
): Promise<OrderDraft> {
  const sold = completeImport(cart, { completedAt, context: editor, cause });
  const stored = await importContents(tx, sold, { input, parts }, { editor, cause });
  const attributes = { ...readAttributes(input), line_items: undefined, line_items_attributes: undefined };
  const filled = await applyInput(tx, stored.draft, { attributes, payment: null, cause }, editor);
  await keepInvoice(tx, filled.order, input);
  return recalculateDraft(
    tx,
    await addPaymentsAndAdjustments(tx, filled, { parts, shipments: stored.ids }, cause),
    cause,
  );
}

/** What only admins send: the identity of an order, and what `ImportedParts` and its invoice are read from. */
type OfAdmins =
  | ('user_id' | 'number' | 'channel' | 'currency' | 'completed_at')
  | ('invoice_number' | 'invoiced_at' | 'documents')
  | `${keyof Omit<ImportedParts, 'line_items'>}${'' | '_attributes'}`;

/** Returns the attributes that updates of an order accept, too. */
export function readAttributes(input: Omit<OrderCreateInput, OfAdmins>): OrderAttributesInput {
  const { email, special_instructions, vat_id, use_billing, metadata, public_metadata, ...parts } = input;
  const { bill_address, bill_address_attributes, ship_address, ship_address_attributes, ...lines } = parts;
  const { line_items, line_items_attributes, ...left } = lines;
  checkAllRead(left);
  return {
    // The owner is already set. A blank e-mail keeps the owner's.
    email: isBlank(email) ? undefined : email,
    special_instructions,
    vat_id,
    use_billing,
    bill_address,
    bill_address_attributes,
    ship_address,
    ship_address_attributes,
    line_items: withoutIds(line_items),
    line_items_attributes: withoutIds(line_items_attributes),
    metadata,
    public_metadata,
  };
}

/** A new order has no line items that ids could name: each row adds one, or is an error without a variant. */
const withoutIds = (rows: OrderCreateInput['line_items']) => rows?.map((row) => ({ ...row, id: null }));

/** Completes a new order. */
function completeImport(
  draft: OrderDraft<ChangeableOrder>,
  { completedAt, context, cause }: { completedAt: Date; context: EventContext; cause: Cause },
): OrderDraft<ChangeableOrder> {
  const { order } = draft;
  const step = { order, patch: {}, draft, returned: [], context, cause, completedAt };
  const ending = throwIfRefused(perform(importer, 'import', step));
  return ending.ended === 'unchanged' ? draft : patchDraft(draft, ending.written, cause);
}

const importer: PerformerOf<typeof orderMachine, OrderStep, OrderPatch> = {
  machine: orderMachine,
  read: ({ order }) => ({ state: order.state, facts: buildOrderFacts(order) }),
  effects,
  // Saving the draft writes these columns, and the history of the state.
  write: ({ patch }, { to }) => ({ ...patch, ...(to !== null && { state: to }) }),
};

/** Returns the number of a new order as it is stored. @throws InvalidResource `number` */
export function parseNumber(text: string): string {
  const number = text.toUpperCase();
  if (!NUMBER.test(number) || !isReachableNumber(number))
    throw new InvalidResource({ number: ['is invalid'] });
  return number;
}

/** Returns the code of a currency as it is stored. @throws InvalidResource `currency` */
export function parseCurrency(text: string): string {
  const code = text.toUpperCase();
  if (!isCurrency(code)) throw new InvalidResource({ currency: ['is invalid'] });
  return code;
}
