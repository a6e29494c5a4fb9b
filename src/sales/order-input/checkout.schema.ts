import { z } from 'zod';
import { AddressInput } from '../../geography/addresses/addresses.schema';
import { boolean, list, longText, nested, reference, text, wrapped } from '../../platform/http/fields';
import { acceptingUnread, forAdmins } from '../../platform/http/ignored-parameters';
import { isRecord } from '../../platform/parameters';
import { LineRow } from './line-row.schema';
import { CardInput } from '../payment-processing/card-input.schema';

/** Validated together with its payment (`readCard`). */
const SourceCard = z.unknown().meta({ override: { $ref: '#/components/schemas/CardInput' } });

/** `payment_source`: cards by the id of their payment method. */
const PaymentSources = z
  .preprocess((raw) => (isRecord(raw) ? raw : undefined), z.record(z.string(), SourceCard).optional())
  .optional();

const ShipmentRow = z.object({
  id: reference().optional,
  selected_shipping_rate_id: reference().optional,
});

const PaymentRow = acceptingUnread(
  z.object({
    // An invalid id counts as missing.
    payment_method_id: reference().optional.catch(null),
    source_attributes: nested(CardInput),
  }),
  // Always the outstanding total.
  ['amount'],
);

/** Attributes of checkout and order updates. `x_attributes` and `x` are synonyms. */
const orderAttributes = z.object({
  email: text({ trim: true }).optional,
  special_instructions: longText().optional,
  use_billing: boolean().optional,
  bill_address: nested(AddressInput),
  bill_address_attributes: nested(AddressInput),
  ship_address: nested(AddressInput),
  ship_address_attributes: nested(AddressInput),
  line_items: list(LineRow),
  line_items_attributes: list(LineRow),
  shipments: list(ShipmentRow),
  shipments_attributes: list(ShipmentRow),
  payments: list(PaymentRow),
  payments_attributes: list(PaymentRow),
  payment_source: PaymentSources,
  existing_card: reference().optional,
  coupon_code: text({ trim: true }).optional,
  user_id: forAdmins(reference().optional),
});

export const CheckoutUpdate = acceptingUnread(
  // Older clients also send `state` inside `order`, where it is not read.
  wrapped('order', acceptingUnread(orderAttributes, ['state']), {
    payment_source: PaymentSources,
    state: text().optional.meta({
      description:
        'Names an earlier step of the checkout, to which the order returns before the attributes are applied. Any other value is ignored, also in PUT orders.',
    }),
  }),
  ['cvc_confirm'],
);

export type CheckoutInput = z.output<typeof CheckoutUpdate>;
/** All attributes are optional, because other bodies have fewer. */
export type OrderAttributesInput = Partial<CheckoutInput['order']>;
