import { z } from 'zod';
import { boolean, text } from '../../platform/http/fields';
import { trackingNumber, trackingUrl } from './shipments.schema';
import { flagCell } from '../../platform/csv/cells';

const number = text({ trim: true }).required.describe('The current or a former number of the shipment.');
const tracking = trackingNumber.optional;

/** A row of POST /bulk/shipments. */
export const ShipmentRow = z.object({
  number,
  tracking: tracking.describe('The tracking number. Missing leaves it unchanged; null clears it.'),
  tracking_url: trackingUrl,
  ship: boolean().optional.describe('Ships it. Missing or false only sets the tracking.'),
});

/** What a merchant says of one parcel. */
export type DispatchRow = { number: string } & Partial<z.output<typeof ShipmentRow>>;

/** A row of a file of kind `shipments`. A blank cell changes nothing. */
export const ShipmentCells = z.object({ number, tracking, tracking_url: trackingUrl, ship: flagCell });
