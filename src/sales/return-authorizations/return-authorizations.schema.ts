import { z } from 'zod';
import { RETURN_AUTHORIZATION_STATES } from '../order/states';
import { AttributeListJson } from '../../platform/http/attribute-list';
import {
  describe,
  boolean,
  decimalNumber,
  integer,
  list,
  longText,
  reference,
} from '../../platform/http/fields';
import { updateSchema, wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread, flattening } from '../../platform/http/ignored-parameters';
import { isRecord, toRecord } from '../../platform/parameters';
import { requestedItems } from './return-requests.schema';

export const ReturnAuthorizationJson = z
  .object({
    id: z.int(),
    number: z.string().meta({ description: 'The number of the return authorization. Unique.' }),
    state: z
      .enum(RETURN_AUTHORIZATION_STATES)
      .meta({ description: 'The state of the return. /docs/state-machines has all transitions.' }),
    order_id: z.int().meta({ description: 'The id of the order.' }),
    memo: z.string().nullable().meta({ description: 'A note for admins. Null without one.' }),
    customer_memo: z.string().nullable().meta({
      description: 'What the customer wrote who requested the return. Null otherwise.',
    }),
    decline_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why a request was declined. Null otherwise.' }),
    items: z
      .array(
        z.object({
          line_item_id: z.int().meta({ description: 'The id of the line item.' }),
          variant_id: z.int().meta({ description: 'The id of the variant.' }),
          quantity: z.int().meta({ description: 'The number of units.' }),
          restock: z.boolean().meta({ description: 'Whether receiving the return restocks the units.' }),
        }),
      )
      .optional()
      .meta({ description: 'What is on the return. Missing in replies to changes.' }),
    requested_items: requestedItems.optional().meta({
      description: 'What the customer requested to return. Missing in replies to changes.',
    }),
    amount: z.string().meta({
      description:
        'The amount to credit, at most the order total. If it was not given: `0.0` until the return is received, then ' +
        'what was credited, the value of the units after discounts and taxes.',
    }),
    stock_location_id: z.int().meta({ description: 'The location that restocks the items.' }),
    return_authorization_reason_id: z.int().meta({ description: 'The id of the reason.' }),
    created_at: z.string(),
    updated_at: z.string(),
    refunds: z
      .array(
        z.object({
          payment_id: z.int().meta({ description: 'The payment that is refunded.' }),
          amount: z.string().meta({ description: 'The amount that is refunded through this payment.' }),
          approved: z.boolean().meta({
            description: 'False if the gateway declined it: the order then still owes the amount.',
          }),
          message: z.string().nullable().meta({ description: 'Why the gateway declined it; else null.' }),
        }),
      )
      .optional()
      .meta({ description: 'Only in the reply to a request with `refund`.' }),
  })
  .meta({ id: 'ReturnAuthorization' });

export type ReturnAuthorizationJson = z.output<typeof ReturnAuthorizationJson>;

export const NewReturnAuthorizationJson = AttributeListJson.extend({
  return_authorization_reasons: z
    .array(z.object({ id: z.int(), name: z.string().meta({ description: 'The name of the reason.' }) }))
    .meta({ description: 'The reasons that new returns may use.' }),
  stock_locations: z
    .array(z.object({ id: z.int(), name: z.string().meta({ description: 'The name of the location.' }) }))
    .meta({ description: 'The stock locations that items may come back to, the default one first.' }),
});

const fields = {
  memo: describe(longText(), 'A note for admins. Null without one.'),
  amount: describe(
    decimalNumber(),
    'The amount to credit, as a decimal in the currency of the order. Null: the value of the returned units.',
  ),
};

/** An invalid id counts as missing: the service reports both with the same error. */
const optionalReference = reference().optional.catch(null);

const MAX_ITEMS = 100;

const item = {
  variant_id: reference().required,
  restock: boolean().optional.meta({
    description: 'False: receiving the return does not put these units back into stock.',
  }),
};

const NewItem = z.object({
  ...item,
  quantity: integer({ min: 1 }).optional.meta({ description: 'The number of units. Defaults to 1.' }),
});

/** The steps of a return that the request which creates it may take. */
const steps = {
  items: list(NewItem)
    .refine((items) => items === undefined || items.length <= MAX_ITEMS, {
      message: `is too long (maximum is ${MAX_ITEMS} items)`,
    })
    .meta({ description: `Items to add, each variant once. At most ${MAX_ITEMS}.` }),
  receive: boolean().optional.meta({ description: 'Receives the items. Needs `items`.' }),
  refund: boolean().optional.meta({
    description:
      'Refunds what the return credits, at most what the order owes, from the oldest payments first. Needs `receive`, and the scope `payments:write`.',
  }),
};

export const ReturnAuthorizationCreate = acceptingUnread(
  wrapped(
    'return_authorization',
    acceptingUnread(
      updateSchema(fields, []).extend({
        stock_location_id: optionalReference.meta({
          description: 'The id of the stock location that restocks the items. Required.',
        }),
        return_authorization_reason_id: optionalReference.meta({
          description: 'The id of an active reason. Required.',
        }),
        ...steps,
      }),
      ['order_id'],
    ),
    steps,
  ),
  ['order_id'],
);

export const ReturnAuthorizationUpdate = wrapped(
  'return_authorization',
  updateSchema(
    {
      ...fields,
      stock_location_id: reference(),
      return_authorization_reason_id: describe(reference(), 'The id of an active reason.'),
    },
    ['stock_location_id', 'return_authorization_reason_id'],
  ),
);

export type ReturnAuthorizationAttributes = z.output<
  typeof ReturnAuthorizationCreate
>['return_authorization'];

/** A return to create, with the steps to take. */
export interface NewReturn {
  attributes: ReturnAuthorizationAttributes;
  items: readonly z.output<typeof NewItem>[];
  receive: boolean;
  refund: boolean;
}

/** Builds the return of a request. The steps may be inside of `return_authorization` or next to it. */
export function readNewReturn(input: z.output<typeof ReturnAuthorizationCreate>): NewReturn {
  const attributes = input.return_authorization;
  return {
    attributes,
    items: input.items ?? attributes.items ?? [],
    receive: (input.receive ?? attributes.receive) === true,
    refund: (input.refund ?? attributes.refund) === true,
  };
}

export type ReturnAuthorizationChanges = z.output<typeof ReturnAuthorizationUpdate>['return_authorization'];

/** The total quantity of one variant on a return. Defaults to 1, restocked; 0 removes the variant. */
export const ReturnedItems = flattening(
  z.preprocess(
    (raw) => {
      const { return_authorization: inside, ...beside } = toRecord(raw);
      return isRecord(inside) ? { ...inside, ...beside } : beside;
    },
    z.object({
      ...item,
      quantity: integer({ min: 0 }).optional.meta({
        description: 'The number of units to return, in total. Defaults to 1; 0 removes the variant.',
      }),
    }),
  ),
  'return_authorization',
);

export type ReturnedItems = z.output<typeof ReturnedItems>;

export const RETURN_AUTHORIZATION_ATTRIBUTES = {
  attributes: Object.keys(ReturnAuthorizationJson.shape),
  required_attributes: ['stock_location_id', 'return_authorization_reason_id'],
};
