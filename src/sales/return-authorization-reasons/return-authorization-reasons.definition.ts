import { boolean, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A reason for which customers return items. */
export const ReturnReason = defineResource({
  table: 'return_authorization_reasons',
  name: 'return_authorization_reason',
  schema: 'ReturnAuthorizationReason',
  deletion: 'hard',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name, such as `Wrong size`.',
    },
    active: {
      type: boolean(),
      default: true,
      search: true,
      description: 'Whether new returns may use it.',
    },
    mutable: {
      type: boolean(),
      default: true,
      search: true,
      description: 'Whether it may be updated and deleted.',
    },
  },
});

export type ReturnReasonRow = RowOf<typeof ReturnReason>;
export type ReturnReasonJson = JsonOf<typeof ReturnReason>;
