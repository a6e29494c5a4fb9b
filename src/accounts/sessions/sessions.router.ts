import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { serializeUser } from '../users/users.serializer';
import { SessionCreate, SessionJson } from './sessions.schema';
import { signIn, signOut } from './sessions.service';

export function sessionsRouter(): ApiRouter {
  const router = createApiRouter('Sessions');

  endpoint(router, 'post /sessions', {
    access: 'anyone',
    summary: 'Sign in',
    description: 'Too many wrong passwords return 429; retry after `Retry-After` seconds.',
    input: SessionCreate,
    status: 201,
    ignoresIdempotencyKey: true,
    private: true,
    reply: SessionJson,
    handle: async (ctx, { input }) => {
      const { token, user } = await signIn(ctx, input);
      return { token, user: serializeUser(user) };
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
