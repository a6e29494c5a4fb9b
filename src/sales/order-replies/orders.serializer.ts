import { serializeMetadata } from '../../access/metadata';
import { serializeVariant } from '../../catalog/variants/variants.serializer';
import type { VariantJson } from '../../catalog/variants/variants.schema';
import { serializeAddress } from '../../geography/addresses/addresses.serializer';
import { formatDecimal, sum, multiply, toAmount, toDecimal } from '../../platform/money';
import { displayMoney } from '../../platform/money-format';
import { createAdjustmentSerializer } from './adjustments.serializer';
import { buildLineOwnerKey, ORDER_OWNER_KEY, buildShipmentOwnerKey } from '../pricing/calculated-adjustments';
import { buildCheckoutSteps } from '../order/checkout-steps';
import type { InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import { serializeCreditCard, serializeOrderPayment } from './payments.serializer';
import { buildManifest, serializeShipmentFields, serializeShippingRate } from './shipments.serializer';
import type { LineItemRow, OrderGraph, ShipmentGraph } from '../order/order-graph';
import type { OrderSummary, OrderView } from './order-view';
import type {
  InventoryUnitJson,
  LineItemJson,
  OrderDetailJson,
  OrderJson,
  OrderShipmentJson,
} from './orders.schema';

/** Serializes the index form of an order. */
export function serializeOrder({ order, token, audience }: OrderSummary): OrderJson {
  const display = (amount: string): string => displayMoney(amount, order);
  const taxTotal = toDecimal(sum(toAmount(order.included_tax_total), toAmount(order.additional_tax_total)));
  return {
    id: order.id,
    number: order.number,
    item_total: formatDecimal(order.item_total),
    total: formatDecimal(order.total),
    ship_total: formatDecimal(order.ship_total),
    state: order.state,
    adjustment_total: formatDecimal(order.adjustment_total),
    user_id: order.user_id,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    completed_at: order.completed_at?.toISOString() ?? null,
    payment_total: formatDecimal(order.payment_total),
    shipment_state: order.shipment_state,
    payment_state: order.payment_state,
    email: order.email,
    special_instructions: order.special_instructions,
    vat_id: order.vat_id,
    channel: order.channel,
    included_tax_total: formatDecimal(order.included_tax_total),
    additional_tax_total: formatDecimal(order.additional_tax_total),
    tax_total: taxTotal,
    display_included_tax_total: display(order.included_tax_total),
    display_additional_tax_total: display(order.additional_tax_total),
    currency: order.currency,
    considered_risky: order.considered_risky,
    canceler_id: order.canceler_id,
    display_item_total: display(order.item_total),
    total_quantity: Number(order.total_quantity),
    display_total: display(order.total),
    display_ship_total: display(order.ship_total),
    display_tax_total: display(taxTotal),
    display_adjustment_total: display(order.adjustment_total),
    token,
    checkout_steps: [...buildCheckoutSteps(toAmount(order.total))],
    ...serializeMetadata(order, audience === 'admin'),
  };
}

/** Serializes the detail form of an order. */
export function serializeOrderDetail(view: OrderView): OrderDetailJson {
  const { order } = view;
  const forAdmin = view.audience === 'admin';
  const serializeAdjustments = createAdjustmentSerializer(order);
  // Objects that are spread into larger literals take several times as long (docs/performance.md).
  return Object.assign(serializeOrder(view), {
    bill_address: order.bill_address === null ? null : serializeAddress(order.bill_address),
    ship_address: order.ship_address === null ? null : serializeAddress(order.ship_address),
    line_items: order.line_items.map((line) =>
      Object.assign(serializeLine(view, line), {
        adjustments: serializeAdjustments(buildLineOwnerKey(line.id)),
        variant: serializeViewVariant(view, line.variant_id),
      }),
    ),
    payments: order.payments.map((payment) => serializeOrderPayment(payment, order, forAdmin)),
    shipments: order.shipments.map((shipment) =>
      Object.assign(serializeOrderShipment(view, shipment), {
        adjustments: serializeAdjustments(buildShipmentOwnerKey(shipment.id)),
      }),
    ),
    adjustments: serializeAdjustments(ORDER_OWNER_KEY),
    credit_cards: view.shows_cards
      ? collectUsedCards(order).map((card) => serializeCreditCard(card, forAdmin))
      : [],
    permissions: { can_update: view.can_update },
    ...(view.payment_methods !== null && {
      payment_methods: view.payment_methods.map(({ id, name, method_type }) => ({ id, name, method_type })),
    }),
  });
}

/** Serializes one line item. The view must contain its variant. */
export function serializeLineItem(view: OrderView, line: LineItemRow): LineItemJson {
  const { order } = view;
  return Object.assign(serializeLine(view, line), {
    adjustments: createAdjustmentSerializer(order)(buildLineOwnerKey(line.id)),
    variant: serializeViewVariant(view, line.variant_id),
  });
}

function serializeLine(
  { order: shown, audience }: OrderSummary,
  line: LineItemRow,
): Omit<LineItemJson, 'adjustments' | 'variant'> {
  const amount = multiply(toAmount(line.price), line.quantity);
  const displayAmount = displayMoney(toDecimal(amount), shown);
  return {
    id: line.id,
    quantity: line.quantity,
    price: formatDecimal(line.price),
    variant_id: line.variant_id,
    single_display_amount: displayMoney(line.price, shown),
    display_amount: displayAmount,
    display_total: displayAmount,
    total: toDecimal(sum(amount, toAmount(line.adjustment_total))),
    ...serializeMetadata(line, audience === 'admin'),
  };
}

function serializeOrderShipment(
  view: OrderView,
  shipment: ShipmentGraph,
): Omit<OrderShipmentJson, 'adjustments'> {
  const rates = shipment.rates.map(serializeShippingRate);
  const units = view.inventory_units?.filter((unit) => unit.shipment_id === shipment.id) ?? null;
  const fields = serializeShipmentFields(view.order, shipment, view.shipping_methods, { withMembers: false });
  return Object.assign(fields, {
    shipping_rates: rates,
    selected_shipping_rate: rates.find((rate) => rate.selected) ?? null,
    manifest: buildManifest(shipment.units).map(({ variant_id, quantity, states }) => ({
      variant_id,
      quantity,
      states,
    })),
    ...(units !== null && {
      inventory_units: units.map((unit) => serializeInventoryUnit(view, unit)),
      order: serializeOrder(view),
    }),
  });
}

/** Serializes one inventory unit, with its variant and its line item. */
export function serializeInventoryUnit(view: OrderView, unit: InventoryUnitRow): InventoryUnitJson {
  const line = view.order.line_items.find(({ id }) => id === unit.line_item_id);
  return {
    id: unit.id,
    state: unit.state,
    variant_id: unit.variant_id,
    shipment_id: unit.shipment_id,
    variant: serializeViewVariant(view, unit.variant_id),
    line_item:
      line === undefined
        ? null
        : {
            id: line.id,
            quantity: line.quantity,
            price: formatDecimal(line.price),
            variant_id: line.variant_id,
          },
  };
}

/** Serializes the short form of a variant of the view. @throws Error if the view does not contain it */
export function serializeViewVariant(
  view: Pick<OrderView, 'variants' | 'audience'>,
  variantId: number,
): VariantJson {
  const variant = view.variants.get(variantId);
  if (variant === undefined) throw new Error(`variant ${variantId} is missing from the view`);
  return serializeVariant(variant, view.audience);
}

/** Returns the cards of payments that are neither failed nor invalid, each once. */
function collectUsedCards(order: OrderGraph) {
  const cards = order.payments.flatMap(({ state, card }) =>
    card === null || state === 'failed' || state === 'invalid' ? [] : [card],
  );
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}
