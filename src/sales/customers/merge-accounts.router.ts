import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { UserJson } from '../../accounts/users/users.schema';
import { serializeUser } from '../../accounts/users/users.serializer';
import { endpoint } from '../../platform/http/endpoint';
import { describe, reference } from '../../platform/http/fields';
import { IdParams } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { mergeAccounts } from './merge-accounts.service';

const MergeInput = z.object({
  user_id: describe(reference(), 'The account that ends.').required,
});

export function mergeAccountsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Users', 'customers');
  endpoint(router, 'put /users/:id/merge', {
    access: 'full_admin',
    summary: 'Merge another account into this one',
    description:
      'For a customer with two accounts. Orders, carts, saved addresses, cards and promotions of the account `user_id`, and the keys of its `metadata` that this one lacks, move to this one, and that account is deleted with its tokens. The lines of the older of both current carts move to the newer one, as in `PUT /orders/:number/associate`. Complete orders keep their e-mail address, carts get the one of this account, and all get new tokens. It cannot be undone. Repeating it changes nothing. Only for administrators with a token without limits, and neither for accounts of staff nor for an account and itself.',
    params: IdParams,
    input: MergeInput,
    private: true,
    reply: UserJson,
    handle: async (ctx, { params, input }) =>
      serializeUser(await mergeAccounts(ctx, { kept: params.id, ended: input.user_id }), ctx.actor),
  });
  return router;
}
