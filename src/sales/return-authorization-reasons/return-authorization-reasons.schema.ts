import { z } from 'zod';
import { boolean, createSchema, text, updateSchema, wrapped } from '../../platform/http/fields';

export const ReturnReasonJson = z
  .object({
    id: z.int(),
    name: z.string(),
    active: z.boolean().meta({ description: 'Whether new returns may give it.' }),
    mutable: z.boolean().meta({ description: 'Whether it may be changed and deleted.' }),
  })
  .meta({ id: 'ReturnAuthorizationReason' });

export type ReturnReasonJson = z.output<typeof ReturnReasonJson>;

const fields = { name: text({ trim: true }), active: boolean(), mutable: boolean() };

export const RETURN_REASON_REQUIRED = ['name'] as const;

export const ReturnReasonCreate = wrapped(
  'return_authorization_reason',
  createSchema(fields, RETURN_REASON_REQUIRED),
);
export const ReturnReasonUpdate = wrapped(
  'return_authorization_reason',
  updateSchema(fields, RETURN_REASON_REQUIRED),
);

export type ReturnReasonAttributes = z.output<typeof ReturnReasonCreate>['return_authorization_reason'];
export type ReturnReasonChanges = z.output<typeof ReturnReasonUpdate>['return_authorization_reason'];
