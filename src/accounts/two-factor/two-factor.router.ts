import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import {
  NewTwoFactorJson,
  TwoFactorBeginning,
  TwoFactorCode,
  TwoFactorJson,
  TwoFactorRemoval,
} from './two-factor.schema';
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  getTwoFactor,
  resetTwoFactor,
} from './two-factor.service';

export function twoFactorRouter(): ApiRouter {
  const router = createApiRouter('Users', 'customers');

  endpoint(router, 'get /users/me/two_factor', {
    access: 'signed_in',
    summary: 'Get the state of the own two-factor sign-in',
    description: 'Whether it is enabled and required, and how many recovery codes are left.',
    private: true,
    reply: TwoFactorJson,
    handle: (ctx) => getTwoFactor(ctx),
  });
  endpoint(router, 'post /users/me/two_factor', {
    access: 'signed_in',
    summary: 'Begin to set up two-factor sign-in',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds) and ten recovery codes, all shown only once. Needs the current password unless the account has just signed in. Sign-ins do not need a code until `PUT` confirms one. Beginning again before that replaces them. A token with limits cannot do this.',
    input: TwoFactorBeginning,
    status: 201,
    ignoresIdempotencyKey: true,
    private: true,
    reply: NewTwoFactorJson,
    handle: (ctx, { input }) => beginTwoFactor(ctx, input),
  });
  endpoint(router, 'put /users/me/two_factor', {
    access: 'signed_in',
    summary: 'Enable two-factor sign-in',
    description:
      'With a code of the app. From then on, `POST /sessions` and `PUT /passwords` need `otp`. Other sign-ins of the account end; its API tokens stay valid.',
    input: TwoFactorCode,
    ignoresIdempotencyKey: true,
    private: true,
    reply: TwoFactorJson,
    handle: (ctx, { input }) => confirmTwoFactor(ctx, input.code),
  });
  endpoint(router, 'delete /users/me/two_factor', {
    access: 'signed_in',
    summary: 'Disable two-factor sign-in',
    description: 'With a code of the app or a recovery code. Too many wrong codes return 429.',
    input: TwoFactorRemoval,
    status: 204,
    ignoresIdempotencyKey: true,
    private: true,
    handle: (ctx, { input }) => endTwoFactor(ctx, input.code),
  });
  endpoint(router, 'delete /users/:id/two_factor', {
    access: 'full_admin',
    summary: 'Reset the two-factor sign-in of a user',
    description:
      'For users who have lost their app and their recovery codes: they sign in with their password alone and can set it up again.',
    params: IdParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => resetTwoFactor(ctx, params.id),
  });
  return router;
}
