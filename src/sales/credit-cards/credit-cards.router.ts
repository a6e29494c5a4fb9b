import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { isAdmin } from '../../access/actor';
import { getOwnUserId } from '../../accounts/users/users.service';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { creditCardSearch } from '../payment-processing/credit-cards.search';
import { serializeSavedCard } from './credit-cards.serializer';
import { CreditCardUpdate, SavedCardJson } from './credit-cards.schema';
import { changeCreditCard, listCreditCards, removeCreditCard } from './credit-cards.service';

const OwnedParams = z.object({ user_id: PathId, id: PathId });
const LISTED = 'Cards that the payment gateway has stored. Use their ids as `existing_card`.';
const DELETED = 'Payments with the card keep its last digits. The payment gateway may keep it.';

export function creditCardsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Users', 'customers');
  addOwn(router);
  addOfUsers(router);
  return router;
}

function addOwn(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /users/me/credit_cards', {
    access: 'signed_in',
    summary: 'List the own saved cards, by id',
    description: LISTED,
    search: creditCardSearch,
    private: true,
    paged: { key: 'credit_cards', item: SavedCardJson },
    handle: async (ctx, { list }) =>
      mapPage(await listCreditCards(ctx, getOwnUserId(ctx), list), (card) =>
        serializeSavedCard(card, isAdmin(ctx.actor)),
      ),
  });
  endpoint(router, 'put /users/me/credit_cards/:id', {
    access: 'signed_in',
    summary: 'Make a saved card the default one, or not',
    description: 'A user has at most one default card.',
    params: IdParams,
    input: CreditCardUpdate,
    private: true,
    reply: SavedCardJson,
    handle: async (ctx, { params, input }) =>
      serializeSavedCard(
        await changeCreditCard(ctx, { user_id: getOwnUserId(ctx), id: params.id }, input.credit_card),
        isAdmin(ctx.actor),
      ),
  });
  endpoint(router, 'delete /users/me/credit_cards/:id', {
    access: 'signed_in',
    summary: 'Delete a saved card',
    description: DELETED,
    params: IdParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeCreditCard(ctx, { user_id: getOwnUserId(ctx), id: params.id }),
  });
}

function addOfUsers(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /users/:id/credit_cards', {
    access: 'self',
    summary: 'List the saved cards of a user, by id',
    description: LISTED,
    params: IdParams,
    search: creditCardSearch,
    private: true,
    paged: { key: 'credit_cards', item: SavedCardJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listCreditCards(ctx, params.id, list), (card) =>
        serializeSavedCard(card, isAdmin(ctx.actor)),
      ),
  });
  endpoint(router, 'put /users/:user_id/credit_cards/:id', {
    access: 'self',
    summary: 'Make a saved card of a user the default one, or not',
    description: 'A user has at most one default card.',
    params: OwnedParams,
    input: CreditCardUpdate,
    private: true,
    reply: SavedCardJson,
    handle: async (ctx, { params, input }) =>
      serializeSavedCard(await changeCreditCard(ctx, params, input.credit_card), isAdmin(ctx.actor)),
  });
  endpoint(router, 'delete /users/:user_id/credit_cards/:id', {
    access: 'self',
    summary: 'Delete a saved card of a user',
    description: DELETED,
    params: OwnedParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeCreditCard(ctx, params),
  });
}
