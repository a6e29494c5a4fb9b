import type { Access } from '../src/access/access';
import type { AccessText, ApiReference } from '../src/platform/openapi/reference';

export const securitySchemes: ApiReference['securitySchemes'] = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Store-Token',
    description: 'The API token of a user, as returned by sign-up and sign-in.',
  },
  orderToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Order-Token',
    description: 'The `token` of an order, as returned when the order is created.',
  },
};

/** The tokens that each access accepts, and a sentence that says who may call. */
export const accessTexts: Record<Access, AccessText> = {
  anyone: { security: [{}, { token: [] }], words: 'No authentication required.' },
  signed_in: { security: [{ token: [] }], words: '**Signed-in users only.**' },
  admin: { security: [{ token: [] }], words: '**Admins only.**' },
  full_admin: {
    security: [{ token: [] }],
    words: '**Users with the role `admin` only**, with a token without limits.',
  },
  self: {
    security: [{ token: [] }],
    words: '**The user in the path, and admins.** Other callers get 404.',
    hidesRecord: true,
  },
  order: {
    security: [{ token: [] }, { orderToken: [] }],
    words: "**The order's owner, anyone with the order's token, and admins.**",
  },
  admin_within: {
    security: [{ token: [] }],
    words: '**Admins only.** Returns 404 below a record that the caller may not see.',
  },
};
