import type { Ctx } from '../../access/context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { isBlank } from '../../platform/blank';
import { endpoint } from '../../platform/http/endpoint';
import type { AssociateOnSignIn } from '../order-reference';
import { serializeUser } from '../users/users.serializer';
import { SessionCreate, SessionJson } from './sessions.schema';
import { signIn, signOut } from './sessions.service';

export function sessionsRouter<C extends Ctx>(associate: AssociateOnSignIn<C>): ApiRouter<C> {
  const router = createApiRouter<C>('Sessions', 'any');

  endpoint(router, 'post /sessions', {
    access: 'anyone',
    summary: 'Sign in',
    description:
      'Accounts with two-factor sign-in need `otp`: without it, a right password returns 401 with the code `two_factor_required`. Too many wrong passwords or codes return 429; retry after `Retry-After` seconds. `order_number` and `order_token` take over a guest order; if that is impossible, the sign-in succeeds without it. Of an account, the 100 sign-ins that were used last remain.',
    input: SessionCreate,
    status: 201,
    ignoresIdempotencyKey: true,
    private: true,
    reply: SessionJson,
    handle: async (ctx, { input }) => {
      const { token, user } = await signIn(ctx, input);
      const { order_number } = input;
      const order = isBlank(order_number) ? null : await associate(ctx, token, order_number);
      return { token, user: serializeUser(user, ctx.actor), ...order };
    },
  });
  endpoint(router, 'delete /sessions', {
    access: 'signed_in',
    summary: 'Sign out: revoke the token of this request',
    description: 'Other tokens of the user remain valid.',
    status: 204,
    private: true,
    handle: (ctx) => signOut(ctx),
  });
  return router;
}
