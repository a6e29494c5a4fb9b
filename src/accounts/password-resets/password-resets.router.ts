import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { SessionJson } from '../sessions/sessions.schema';
import { serializeUser } from '../users/users.serializer';
import { PasswordResetInput, PasswordResetRequest } from './password-resets.schema';
import { requestPasswordReset, resetPassword } from './password-resets.service';

export function passwordResetsRouter(): ApiRouter {
  const router = createApiRouter('Sessions', 'any');

  endpoint(router, 'post /passwords', {
    access: 'anyone',
    summary: 'Mail a link that sets a new password',
    description:
      "Always returns 202, whether or not an account has the e-mail address. The link leads to `/password?token=…` of the store's `url`, is valid for one hour and works once. Too many requests for one account or from one address return 429.",
    input: PasswordResetRequest,
    status: 202,
    private: true,
    reply: z.object({}),
    handle: async (ctx, { input }) => {
      await requestPasswordReset(ctx, input.email);
      return {};
    },
  });
  endpoint(router, 'put /passwords', {
    access: 'anyone',
    summary: 'Set a new password with the token of a mail, and sign in',
    description:
      'All other tokens of the user end. An unknown, used or expired token returns 422, and 429 after too many of them.',
    input: PasswordResetInput,
    ignoresIdempotencyKey: true,
    private: true,
    reply: SessionJson,
    handle: async (ctx, { input }) => {
      const { token, user } = await resetPassword(ctx, input);
      return { token, user: serializeUser(user, ctx.actor) };
    },
  });
  return router;
}
