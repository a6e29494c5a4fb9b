import { z } from 'zod';
import { AddressInput } from '../../geography/addresses/addresses.schema';
import { list, longText, nested, reference, text, timestamp, wrapped } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { LineRow } from '../order-input/line-row.schema';

/** The attributes of POST /orders. Those from `user_id` on are ignored unless the actor is an admin. */
export const OrderCreate = wrapped(
  'order',
  z.object({
    email: text({ trim: true }).optional,
    special_instructions: longText().optional,
    bill_address: nested(AddressInput),
    bill_address_attributes: nested(AddressInput),
    ship_address: nested(AddressInput),
    ship_address_attributes: nested(AddressInput),
    line_items: list(LineRow),
    line_items_attributes: list(LineRow),
    user_id: forAdmins(
      reference().optional.meta({
        description: 'This field and the following ones are ignored unless the caller is an admin.',
      }),
    ),
    currency: forAdmins(text().optional),
    channel: forAdmins(text().optional),
    number: forAdmins(text().optional),
    completed_at: forAdmins(timestamp().optional),
  }),
);

export type OrderCreateInput = z.output<typeof OrderCreate>['order'];
