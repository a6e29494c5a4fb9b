import { InvalidResource, NotFound } from '../../platform/errors';
import { roundMoney } from '../../platform/money';
import type { Tx } from '../../platform/database/transaction';
import { sumQuantities } from '../../platform/quantities';
import { MAX_UNITS } from '../fulfilment/proposal';
import { buildLine } from '../fulfilment/new-line';
import { findSellableVariants, findVariantTitle } from '../fulfilment/sellable-variants.repository';
import { MAX_LINES } from '../order-input/order-contents';
import { rejectCanceled, rejectReturned } from '../order/sold-order-policy';
import type { Demand } from '../fulfilment/supply';
import type { ViewContext } from '../../catalog/product-queries/product-view';
import type { OrderDraft } from '../order-updater/order-draft';

/**
 * Increases the quantity of a variant's line item, or creates one at the variant's price, before its
 * units are added to a shipment. Adds no units itself.
 * @returns the draft and the id of the line item
 * @throws NotFound if the variant cannot be sold; InvalidResource if the order is canceled or would become too large
 */
export async function raiseLine(
  tx: Tx,
  draft: OrderDraft,
  { variant_id, quantity }: Demand,
  ctx: ViewContext,
): Promise<{ draft: OrderDraft; line_item_id: number }> {
  const { order } = draft;
  rejectCanceled(order);
  rejectReturned(order);
  const wanted = { ids: [variant_id], skus: [] };
  const [variant] = await findSellableVariants(tx, ctx, wanted, order.currency);
  if (variant === undefined) throw new NotFound();
  const line = order.line_items.find((one) => one.variant_id === variant_id);
  const unrounded = line?.price ?? variant.price;
  if (unrounded === null) throw new InvalidResource({ price: ["can't be blank"] });
  const price = roundMoney(unrounded, order.currency);
  if (line === undefined && order.line_items.length >= MAX_LINES) {
    throw new InvalidResource({ line_items: [`must be at most ${MAX_LINES}`] });
  }
  const room = MAX_UNITS - sumQuantities(order.line_items);
  if (quantity > room) {
    const most = Math.max(0, room);
    const title = await findVariantTitle(tx, variant_id);
    throw new InvalidResource({ quantity: [`must be less than or equal to ${most}`] }).withHint(
      `An order has at most ${MAX_UNITS} units, so that at most ${most} of "${title}" can be added.`,
    );
  }
  const total = (line?.quantity ?? 0) + quantity;
  const raised =
    line === undefined
      ? buildLine(order, { variant_id, quantity: total, price })
      : { ...line, quantity: total, price };
  const line_items =
    line === undefined
      ? [...order.line_items, raised]
      : order.line_items.map((one) => (one === line ? raised : one));
  return { draft: { ...draft, order: { ...order, line_items } }, line_item_id: raised.id };
}
