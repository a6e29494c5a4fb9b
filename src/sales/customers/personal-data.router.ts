import { z } from 'zod';
import { isAdmin } from '../../access/actor';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { SavedAddressJson } from '../../accounts/saved-addresses/saved-addresses.schema';
import { serializeSavedAddress } from '../../accounts/saved-addresses/saved-addresses.serializer';
import { UserJson } from '../../accounts/users/users.schema';
import { serializeUser } from '../../accounts/users/users.serializer';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { CreditCardJson } from '../order-replies/payments.schema';
import { serializeCreditCard } from '../order-replies/payments.serializer';
import { loadOrderViews } from '../order-replies/order-view';
import { OrderDetailJson } from '../order-replies/orders.schema';
import { serializeOrderDetail } from '../order-replies/orders.serializer';
import { erasePerson, exportPerson } from './personal-data.service';

const PersonalDataJson = z
  .object({
    user: UserJson,
    addresses: z.array(SavedAddressJson),
    credit_cards: z.array(CreditCardJson),
    orders: z.array(OrderDetailJson),
  })
  .meta({ id: 'PersonalData' });

export function personalDataRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Users', 'customers');
  endpoint(router, 'get /users/:id/export', {
    access: 'self',
    summary: 'Export all that the store has about a user',
    description:
      'Account, saved addresses and cards, and orders in every state. Staff, who also need `orders:read`, get guest orders with the same e-mail address too.',
    params: IdParams,
    private: true,
    reply: PersonalDataJson,
    handle: async (ctx, { params }) => {
      const { user, addresses, cards, orders } = await exportPerson(ctx, params.id);
      return {
        user: serializeUser(user, ctx.actor),
        addresses: addresses.map(serializeSavedAddress),
        credit_cards: cards.map((card) => serializeCreditCard(card, isAdmin(ctx.actor))),
        orders: (await loadOrderViews(ctx, orders)).map(serializeOrderDetail),
      };
    },
  });
  endpoint(router, 'put /users/:id/erase', {
    access: 'admin',
    summary: 'Erase the personal data of a user',
    description:
      'Replaces e-mail address, names, addresses and cards, also in orders, in their history and in guest orders with the same e-mail address, and deletes tokens, stored mails and `metadata` of the account, its orders and their line items. Orders, their sums, countries and states stay. It cannot be undone. Not for the only admin.',
    params: IdParams,
    private: true,
    reply: UserJson,
    handle: async (ctx, { params }) => serializeUser(await erasePerson(ctx, params.id), ctx.actor),
  });
  return router;
}
