import type { Access } from '../src/access/access';
import type { AccessText, ApiReference } from '../src/platform/openapi/reference';

export const securitySchemes: ApiReference['securitySchemes'] = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Store-Token',
    description: "A user's API token, as sign-up and sign-in answer it.",
  },
  orderToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Order-Token',
    description: "An order's `token`, as its creation answers it.",
  },
};

/** Which tokens help, and in words who may call. */
export const accessTexts: Record<Access, AccessText> = {
  anyone: { security: [{}, { token: [] }], words: 'Open to everybody.' },
  signed_in: { security: [{ token: [] }], words: '**Signed in users only.**' },
  admin: { security: [{ token: [] }], words: '**Admins only.**' },
  self: {
    security: [{ token: [] }],
    words: '**The user in the path, and admins.** To others that user does not exist.',
    hidesRecord: true,
  },
  order: {
    security: [{ token: [] }, { orderToken: [] }],
    words: "**The order's owner, whoever presents its token, and admins.**",
  },
  admin_within: {
    security: [{ token: [] }],
    words: '**Admins only.** Below a record the caller cannot see it is 404.',
  },
};
