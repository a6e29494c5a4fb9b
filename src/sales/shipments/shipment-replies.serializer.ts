import { serializeAddress } from '../../geography/addresses/addresses.serializer';
import { formatDecimal } from '../../platform/money';
import { displayMoney } from '../../platform/money-format';
import { createAdjustmentSerializer } from '../order-replies/adjustments.serializer';
import { ORDER_OWNER_KEY, buildShipmentOwnerKey } from '../pricing/calculated-adjustments';
import {
  serializeInventoryUnit,
  serializeOrder,
  serializeViewVariant,
} from '../order-replies/orders.serializer';
import type { OwnShipmentJson, ShipmentJson } from './shipment-replies.schema';
import type { OwnShipmentView, ShipmentView } from './shipment-view';
import {
  buildManifest,
  serializeShipmentFields,
  serializeShippingRate,
} from '../order-replies/shipments.serializer';

/** Serializes a shipment for the shipment endpoints. */
export function serializeShipment(view: ShipmentView): ShipmentJson {
  const { order, shipment } = view;
  const rates = shipment.rates.map(serializeShippingRate);
  return {
    ...serializeShipmentFields(view.order, shipment, view.shipping_methods, { withMembers: true }),
    adjustments: createAdjustmentSerializer(order)(buildShipmentOwnerKey(shipment.id)),
    ship_address: order.ship_address === null ? null : serializeAddress(order.ship_address),
    shipping_rates: rates,
    selected_shipping_rate: rates.filter((rate) => rate.selected),
    manifest: buildManifest(shipment.units).map(({ variant_id, quantity, states }) => ({
      variant: serializeViewVariant(view, variant_id),
      quantity,
      states,
    })),
  };
}

/** Serializes a shipment for its customer's list. */
export function serializeOwnShipment({ order, shipment, units, view }: OwnShipmentView): OwnShipmentJson {
  const selected = shipment.rates.find((rate) => rate.selected);
  const adjustmentsOf = createAdjustmentSerializer(order);
  return {
    ...serializeShipmentFields(order, shipment, view.shipping_methods, { withMembers: true }),
    adjustments: adjustmentsOf(buildShipmentOwnerKey(shipment.id)),
    selected_shipping_rate: selected === undefined ? null : serializeShippingRate(selected),
    inventory_units: units.map((unit) => serializeInventoryUnit(view, unit)),
    order: {
      ...serializeOrder(view),
      bill_address: order.bill_address === null ? null : serializeAddress(order.bill_address),
      ship_address: order.ship_address === null ? null : serializeAddress(order.ship_address),
      adjustments: adjustmentsOf(ORDER_OWNER_KEY),
      payments: order.payments.map((payment) => ({
        id: payment.id,
        amount: formatDecimal(payment.amount),
        display_amount: displayMoney(payment.amount, order),
        state: payment.state,
        payment_method: { id: payment.payment_method_id, name: payment.payment_method_name },
      })),
    },
  };
}
