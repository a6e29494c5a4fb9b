import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { isAdmin } from '../../access/actor';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { CreditCardJson } from '../order-replies/payments.schema';
import { serializeCreditCard } from '../order-replies/payments.serializer';
import { creditCardSearch } from '../payment-processing/credit-cards.search';
import { listCreditCards } from './credit-cards.service';

export function creditCardsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Users', 'customers');

  endpoint(router, 'get /users/:id/credit_cards', {
    access: 'self',
    summary: 'List the saved cards of a user, by id',
    description: 'Cards that the payment gateway has stored. Use their ids as `existing_card`.',
    params: IdParams,
    search: creditCardSearch,
    private: true,
    paged: { key: 'credit_cards', item: CreditCardJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listCreditCards(ctx, params.id, list), (card) =>
        serializeCreditCard(card, isAdmin(ctx.actor)),
      ),
  });
  return router;
}
