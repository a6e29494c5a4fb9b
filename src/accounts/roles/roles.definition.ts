import { z } from 'zod';
import { SCOPES } from '../../access/scopes';
import { choices, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A named set of scopes, which members of staff have. `admin` has all; `customer` has none. */
export const Role = defineResource({
  table: 'roles',
  name: 'role',
  schema: 'Role',
  deletion: 'hard',
  fields: {
    name: { type: text({ trim: true }), required: true, search: true },
    scopes: {
      type: choices(SCOPES),
      default: [],
      reply: z.array(z.string()),
      description: 'What users with the role may do; `*` for everything. `write` includes `read`.',
    },
  },
  search: { baseOrder: ['roles.id ASC'] },
});

export type RoleRow = RowOf<typeof Role>;
export type RoleJson = JsonOf<typeof Role>;
