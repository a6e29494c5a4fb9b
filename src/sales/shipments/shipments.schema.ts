import { z } from 'zod';
import { describe, integer, price, reference, text } from '../../platform/http/fields';
import { updateSchema, wrapped, type Wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread, flattening } from '../../platform/http/ignored-parameters';
import { INVALID } from '../../platform/errors';
import { isRecord, toRecord } from '../../platform/parameters';
import { isWebAddress } from '../../platform/web-address';

/** The tracking number of a row, such as of a file, in the letters that carriers know. */
export const trackingNumber = text({ trim: true, halfWidth: true });

const webAddress = text({ max: 2000 });

/** Where a parcel is followed; blank for the address of the shipping method. */
export const trackingUrl = webAddress.optional
  .refine((url) => url == null || url === '' || isWebAddress(url), { message: INVALID })
  .describe('Where the parcel is followed. Null: the `tracking_url` of the shipping method.');

const fields = {
  /** Not changed by rates afterwards. */
  cost: describe(price(), 'What the customer pays for the shipment, as a decimal.'),
  tracking: describe(text({ halfWidth: true }), 'The tracking number. Null without one.'),
  tracking_url: { ...webAddress, optional: trackingUrl },
  number: describe(text(), 'The number of the shipment. Unique.'),
  stock_location_id: reference(),
  selected_shipping_rate_id: describe(reference(), 'The id of one of the `shipping_rates` of the shipment.'),
};

/** The number in the path is merged into the parameters, so `number` is an attribute only inside the wrapper. */
export const ShipmentUpdate = acceptingUnread(
  withoutPathNumber(
    wrapped(
      'shipment',
      acceptingUnread(updateSchema(fields, ['cost', 'number', 'stock_location_id']), ['unlock', 'order_id']),
    ),
  ),
  ['order_id'],
);

export type ShipmentAttributes = z.output<typeof ShipmentUpdate>['shipment'];

const quantity = integer({ min: 1 }).optional;

/** Units of one variant. `quantity` defaults to 1 when adding, and to all units when removing. */
export const ContentChange = acceptingUnread(
  flat(
    z.object({
      variant_id: reference().required,
      quantity: quantity.describe(
        'The number of units. Defaults to 1 when adding, and to all units when removing.',
      ),
    }),
  ),
  ['order_id', 'stock_location_id'],
);

export type ContentChange = z.output<typeof ContentChange>;

/** `order_id` is the number or the id of the order. */
export const ShipmentCreate = flat(
  z.object({
    order_id: text().required.describe("The order's number."),
    stock_location_id: reference().required,
    variant_id: reference().required,
    quantity: quantity.describe('The number of units. Defaults to 1.'),
  }),
);

export type ShipmentCreateInput = z.output<typeof ShipmentCreate>;

const transfer = {
  original_shipment_number: text().required.describe('The number of the shipment that the units leave.'),
  variant_id: reference().required,
  quantity: quantity.describe('The number of units. Defaults to 1.'),
};

export const TransferToLocation = z.object({
  ...transfer,
  stock_location_id: reference().required.describe(
    'The id of the stock location that the new shipment leaves from.',
  ),
});
export const TransferToShipment = z.object({
  ...transfer,
  target_shipment_number: text().required.describe('The number of the shipment that the units join.'),
});

export type TransferToLocationInput = z.output<typeof TransferToLocation>;
export type TransferToShipmentInput = z.output<typeof TransferToShipment>;

const TRANSFERRED = 'Variants successfully transferred';

export const TransferJson = z.object({
  success: z.literal(true).describe('Whether the units were transferred.'),
  message: z.literal(TRANSFERRED).describe('The result, in one sentence.'),
});
export const TransferFailedJson = z.object({
  success: z.literal(false).describe('Whether the units were transferred.'),
  message: z.string().describe('Why the units were not transferred.'),
});

export const transferred = { success: true, message: TRANSFERRED } as const;

/** Accepts the attributes inside `shipment` and next to it; those next to it take precedence. */
function flat<S extends z.ZodType>(schema: S) {
  const read = z.preprocess((raw) => {
    const { shipment, ...beside } = toRecord(raw);
    return isRecord(shipment) ? { ...shipment, ...beside } : beside;
  }, schema);
  return flattening(read, 'shipment');
}

function withoutPathNumber<S extends z.ZodType>(schema: Wrapped<S>) {
  const read = z.preprocess((raw) => {
    if (!isRecord(raw) || schema.wrapper in raw) return raw;
    return Object.fromEntries(Object.entries(raw).filter(([key]) => key !== 'number'));
  }, schema);
  return Object.assign(read, { wrapper: schema.wrapper });
}
