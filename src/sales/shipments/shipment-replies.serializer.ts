import { serializeVariant } from '../../catalog/variants/variants.serializer';
import type { VariantJson } from '../../catalog/variants/variants.schema';
import { serializeAddress } from '../../geography/addresses/addresses.serializer';
import { decimal, displayMoney } from '../../platform/money';
import { serializeAdjustment } from '../adjustments/adjustments.serializer';
import type { OrderGraph, ShipmentGraph } from '../orders/order-graph';
import { serializeInventoryUnit, serializeOrder } from '../orders/orders.serializer';
import type { OwnShipmentJson, ShipmentJson } from './shipment-replies.schema';
import type { OwnShipmentView, ShipmentView } from './shipment-view';
import { manifestOf, serializeShipmentFields, serializeShippingRate } from './shipments.serializer';

/** The form of the shipment endpoints. */
export function serializeShipment(view: ShipmentView): ShipmentJson {
  const { order, shipment } = view;
  const rates = shipment.rates.map(serializeShippingRate);
  return {
    ...serializeShipmentFields(view.order, shipment, view.shipping_methods, { withMembers: true }),
    adjustments: adjustmentsOf(order, shipment),
    shipping_rates: rates,
    selected_shipping_rate: rates.filter((rate) => rate.selected),
    manifest: manifestOf(shipment.units).map(({ variant_id, quantity, states }) => ({
      variant: variantOf(view, variant_id),
      quantity,
      states,
    })),
  };
}

function variantOf(view: ShipmentView, id: number): VariantJson {
  const variant = view.variants.get(id);
  if (variant === undefined) throw new Error(`variant ${id} is missing from the shipment's view`);
  return serializeVariant(variant, view.audience);
}

function adjustmentsOf(order: OrderGraph, shipment: ShipmentGraph) {
  return order.adjustments
    .filter((row) => row.shipment_id === shipment.id)
    .map((row) => serializeAdjustment(row, order.currency));
}

/** The form of a customer's own list. */
export function serializeOwnShipment({ order, shipment, units, view }: OwnShipmentView): OwnShipmentJson {
  const selected = shipment.rates.find((rate) => rate.selected);
  return {
    ...serializeShipmentFields(order, shipment, view.shipping_methods, { withMembers: true }),
    adjustments: adjustmentsOf(order, shipment),
    selected_shipping_rate: selected === undefined ? null : serializeShippingRate(selected),
    inventory_units: units.map((unit) => serializeInventoryUnit(view, unit)),
    order: {
      ...serializeOrder(view),
      bill_address: order.bill_address === null ? null : serializeAddress(order.bill_address),
      ship_address: order.ship_address === null ? null : serializeAddress(order.ship_address),
      adjustments: order.adjustments
        .filter((row) => row.line_item_id === null && row.shipment_id === null)
        .map((row) => serializeAdjustment(row, order.currency)),
      payments: order.payments.map((payment) => ({
        id: payment.id,
        amount: decimal(payment.amount),
        display_amount: displayMoney(payment.amount, order.currency),
        state: payment.state,
        payment_method: { id: payment.payment_method_id, name: payment.payment_method_name },
      })),
    },
  };
}
