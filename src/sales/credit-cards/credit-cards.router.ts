import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { isAdmin } from '../../access/actor';
import { getOwnUserId } from '../../accounts/users/users.service';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
import type { CreditCardRow } from '../order/order-graph';
import { serializeCreditCard } from '../order-replies/payments.serializer';
import { creditCardSearch } from '../payment-processing/credit-cards.search';
import { CreditCardUpdate, SavedCardJson } from './credit-cards.schema';
import { changeCreditCard, listCreditCards, removeCreditCard } from './credit-cards.service';

const LISTED = 'Cards that the payment gateway has stored. Use their ids as `existing_card`.';
const UPDATED = 'A user has at most one default card.';
const DELETED = 'Payments with the card keep its last digits. The payment gateway may keep it.';
const OF_USER = { read: 'self', write: 'self' } as const;

/** What the own cards and those of other users have in common. */
const RECORDS = {
  private: true,
  reply: SavedCardJson,
  serialize: (card: CreditCardRow, ctx: Ctx): SavedCardJson => ({
    ...serializeCreditCard(card, isAdmin(ctx.actor)),
    default: card.is_default,
  }),
} as const;

export function creditCardsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Users', 'customers');
  declareRecordEndpoints(router, '/users/me/credit_cards', {
    ...RECORDS,
    access: { read: 'signed_in', write: 'signed_in' },
    list: {
      summary: 'List the own saved cards, by id',
      description: LISTED,
      search: creditCardSearch,
      handle: (ctx, { list }) => listCreditCards(ctx, getOwnUserId(ctx), list),
    },
    update: {
      summary: 'Make a saved card the default one, or not',
      description: UPDATED,
      input: CreditCardUpdate,
      handle: (ctx, { params, input }) =>
        changeCreditCard(ctx, { user_id: getOwnUserId(ctx), id: params.id }, input.credit_card),
    },
    delete: {
      summary: 'Delete a saved card',
      description: DELETED,
      handle: (ctx, { params }) => removeCreditCard(ctx, { user_id: getOwnUserId(ctx), id: params.id }),
    },
  });
  declareRecordEndpoints(router, '/users/:id/credit_cards', {
    ...RECORDS,
    access: OF_USER,
    params: IdParams,
    list: {
      summary: 'List the saved cards of a user, by id',
      description: LISTED,
      search: creditCardSearch,
      handle: (ctx, { params, list }) => listCreditCards(ctx, params.id, list),
    },
  });
  declareRecordEndpoints(router, '/users/:user_id/credit_cards', {
    ...RECORDS,
    access: OF_USER,
    params: z.object({ user_id: PathId }),
    update: {
      summary: 'Make a saved card of a user the default one, or not',
      description: UPDATED,
      input: CreditCardUpdate,
      handle: (ctx, { params, input }) => changeCreditCard(ctx, params, input.credit_card),
    },
    delete: {
      summary: 'Delete a saved card of a user',
      description: DELETED,
      handle: (ctx, { params }) => removeCreditCard(ctx, params),
    },
  });
  return router;
}
