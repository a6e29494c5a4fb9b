import { z } from 'zod';
import { vatId } from '../../accounts/vat-id';
import { metadataInput } from '../../access/metadata';
import { AddressInput } from '../../geography/addresses/addresses.schema';
import { boolean, list, longText, nested, reference, text } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread, forAdmins, readingAs } from '../../platform/http/ignored-parameters';
import { LineRow } from './line-row.schema';
import { CardInput, nestedCard, readSource } from '../payment-processing/card-input.schema';

/** Validated together with its payment (`readCard`). */
const SourceCard = readingAs(
  z.unknown().meta({ override: { $ref: '#/components/schemas/CardInput' } }),
  CardInput,
);

/** `payment_source`: cards by the id of their payment method. */
const PaymentSources = z.preprocess(readSource, z.record(z.string(), SourceCard).optional()).optional();

const ShipmentRow = z.object({
  id: reference().optional.describe('The id of a shipment of the order.'),
  selected_shipping_rate_id: reference().optional.describe('The id of one of its `shipping_rates`.'),
});

const PaymentRow = acceptingUnread(
  z.object({
    id: reference()
      .optional.catch(null)
      .describe('The id of a payment of the order. It is left as it is, unless a card is sent with it.'),
    // An invalid id counts as missing.
    payment_method_id: reference()
      .optional.catch(null)
      .describe('The id of one of the `payment_methods` of the order.'),
    source_attributes: nestedCard().describe('The card. Alternative to `payment_source`.'),
  }),
  // Always the outstanding total.
  ['amount'],
);

/** Attributes of checkout and order updates. `x_attributes` and `x` are synonyms. */
const orderAttributes = z.object({
  email: text({ trim: true }).optional.describe(
    'The e-mail address of the buyer. Required to complete; defaults to that of the account.',
  ),
  special_instructions: longText().optional.describe('Instructions of the buyer, such as for the delivery.'),
  vat_id: vatId,
  use_billing: boolean().optional.describe('Whether the bill address is also the ship address.'),
  bill_address: nested(AddressInput).describe('The bill address. Required to leave the step `address`.'),
  bill_address_attributes: nested(AddressInput),
  ship_address: nested(AddressInput).describe(
    'The ship address. Required to leave the step `address`, unless `use_billing` is true.',
  ),
  ship_address_attributes: nested(AddressInput),
  line_items: list(LineRow).describe('Line items to change, or to add by variant or SKU.'),
  line_items_attributes: list(LineRow).describe('Same as `line_items`.'),
  shipments: list(ShipmentRow).describe('The shipping rates to select.'),
  shipments_attributes: list(ShipmentRow).describe('Same as `shipments`.'),
  payments: list(PaymentRow).describe('The payment to create, over the outstanding balance.'),
  payments_attributes: list(PaymentRow).describe('Same as `payments`.'),
  payment_source: PaymentSources.describe('Cards by the id of their payment method.'),
  existing_card: reference().optional.describe(
    'The id of a saved card of the caller, as the source of the payment.',
  ),
  coupon_code: text({ trim: true }).optional.describe('A coupon code to apply.'),
  user_id: forAdmins(
    reference().optional.describe(
      'The id of the account that owns the order. Ignored unless the caller is an admin.',
    ),
  ),
  ...metadataInput,
});

export const CheckoutUpdate = acceptingUnread(
  // Older clients also send `state` inside `order`, where it is not read.
  wrapped('order', acceptingUnread(orderAttributes, ['state']), {
    payment_source: PaymentSources.describe('Cards by the id of their payment method.'),
    state: text().optional.describe(
      'Names an earlier step of the checkout, to which the order returns before the attributes are applied. Any other value is ignored, also in PUT orders.',
    ),
  }),
  ['cvc_confirm'],
);

export type CheckoutInput = z.output<typeof CheckoutUpdate>;
/** All attributes are optional, because other bodies have fewer. */
export type OrderAttributesInput = Partial<CheckoutInput['order']>;
