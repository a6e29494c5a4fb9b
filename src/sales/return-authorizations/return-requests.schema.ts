import { z } from 'zod';
import { integer, list, reference, text } from '../../platform/http/fields';
import { RETURN_AUTHORIZATION_STATES } from '../order/states';

const MAX_ITEMS = 100;

const MEMO = 'What the customer writes to the store. Null without it.';

const LINE = 'The id of the line item.';

const requestedItem = z.object({
  line_item_id: z.int().meta({ description: LINE }),
  quantity: z.int().meta({ description: 'The number of units.' }),
  reason_id: z.int().meta({ description: 'The id of the reason.' }),
});

/** The requested items of a return, for staff. */
export const requestedItems = z.array(requestedItem);

/** A return as the customer who requested it sees it. */
export const ReturnRequestJson = z
  .object({
    id: z.int().meta({ description: 'The id of the return authorization.' }),
    number: z.string().meta({ description: 'The number of the return authorization. Unique.' }),
    state: z.enum(RETURN_AUTHORIZATION_STATES).meta({
      description: '`requested` until staff approve (`authorized`) or decline it.',
    }),
    memo: z.string().nullable().meta({ description: MEMO }),
    decline_reason: z.string().nullable().meta({ description: 'Why it was declined. Null otherwise.' }),
    items: z.array(requestedItem).meta({ description: 'What the customer wants to return.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ReturnRequest' });

export type ReturnRequestJson = z.output<typeof ReturnRequestJson>;

export const ReturnRequestListJson = z.object({
  return_requests: z.array(ReturnRequestJson).meta({ description: 'Oldest first.' }),
});

export const ReturnOfferJson = z.object({
  items: z
    .array(
      z.object({
        line_item_id: z.int().meta({ description: LINE }),
        variant_id: z.int(),
        quantity: z.int().meta({ description: 'The number of units that may be returned now.' }),
      }),
    )
    .meta({ description: 'Empty if nothing may be returned.' }),
  return_authorization_reasons: z
    .array(z.object({ id: z.int(), name: z.string().meta({ description: 'The name of the reason.' }) }))
    .meta({ description: 'The reasons to choose from.' }),
});

export type ReturnOfferJson = z.output<typeof ReturnOfferJson>;

const Item = z.object({
  line_item_id: reference().required.meta({ description: LINE }),
  quantity: integer({ min: 1 }).required.meta({ description: 'The number of units.' }),
  reason_id: reference().required.meta({ description: 'The id of an active reason.' }),
});

export const ReturnRequestInput = z.object({
  items: list(Item)
    .transform((items) => items ?? [])
    .refine((items) => items.length > 0, { message: "can't be blank" })
    .refine((items) => items.length <= MAX_ITEMS, { message: `is too long (maximum is ${MAX_ITEMS} items)` })
    .meta({ description: `Units to return, each line item once. At most ${MAX_ITEMS}.` }),
  memo: text({ max: 2000 }).optional.meta({ description: MEMO }),
});

export type ReturnRequestInput = z.output<typeof ReturnRequestInput>;

export const ReturnDecline = z.object({
  reason: text({ max: 2000 }).optional.meta({ description: 'What the customer reads. Null without it.' }),
});
