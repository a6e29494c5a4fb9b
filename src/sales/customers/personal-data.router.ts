import { z } from 'zod';
import { isAdmin } from '../../access/actor';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { SavedAddressJson } from '../../accounts/saved-addresses/saved-addresses.schema';
import { serializeSavedAddress } from '../../accounts/saved-addresses/saved-addresses.serializer';
import { UserJson } from '../../accounts/users/users.schema';
import { serializeUser } from '../../accounts/users/users.serializer';
import { endpoint } from '../../platform/http/endpoint';
import { boolean } from '../../platform/http/fields';
import { IdParams } from '../../platform/http/path-parameters';
import { streamJson } from '../../platform/http/stream-json';
import type { Ctx } from '../context';
import { CreditCardJson } from '../order-replies/payments.schema';
import { serializeCreditCard } from '../order-replies/payments.serializer';
import { loadOrderViews } from '../order-replies/order-view';
import { OrderDetailJson } from '../order-replies/orders.schema';
import { serializeOrderDetail } from '../order-replies/orders.serializer';
import { erasePerson, exportPerson, type PersonalData } from './personal-data.service';
import { namedObject } from '../../platform/http/named-object';

const PersonalDataJson = namedObject('PersonalData', {
  user: UserJson,
  addresses: z.array(SavedAddressJson),
  merged_accounts: z
    .array(z.object({ id: z.int(), email: z.string(), created_at: z.iso.datetime() }))
    .describe('Accounts that were merged into this one, and when.'),
  credit_cards: z.array(CreditCardJson),
  orders: z.array(OrderDetailJson),
});

const EraseInput = z.object({
  force: boolean().optional.describe(
    'Erases although an order has paid units that are not shipped, or owes a refund. Defaults to false: 422 `base`.',
  ),
});

export function personalDataRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Users', 'customers');
  endpoint(router, 'get /users/:id/export', {
    access: 'self',
    summary: 'Export all that the store has about a user',
    description:
      'Account, saved addresses and cards, and orders in every state, by id, sent while they are read. Staff, who also need `orders:read`, get guest orders with the same e-mail address too.',
    params: IdParams,
    private: true,
    file: 'application/json; charset=utf-8',
    isStreamed: true,
    reply: PersonalDataJson,
    handle: async (ctx, { params }) => {
      const person = await exportPerson(ctx, params.id);
      return { name: `user-${params.id}.json`, content: writePerson(ctx, person) };
    },
  });
  endpoint(router, 'put /users/:id/erase', {
    access: 'admin',
    summary: 'Erase the personal data of a user',
    description:
      'Replaces e-mail address, names, addresses and cards, also in orders, in their history and in guest orders with the same e-mail address or that of an account merged into this one, and deletes tokens, stored mails and `metadata` of the account, its orders and their line items. Orders, their sums, countries and states stay, and so do invoices and credit notes, which cannot change. Guest orders placed afterwards are not erased. It cannot be undone. Not for the only admin.',
    params: IdParams,
    input: EraseInput,
    private: true,
    reply: UserJson,
    handle: async (ctx, { params, input }) =>
      serializeUser(await erasePerson(ctx, params.id, { force: input.force === true }), ctx.actor),
  });
  return router;
}

function writePerson(
  ctx: Ctx,
  { user, merged, addresses, cards, orders }: PersonalData,
): AsyncGenerator<string> {
  const head = {
    user: serializeUser(user, ctx.actor),
    addresses: addresses.map(serializeSavedAddress),
    merged_accounts: merged.map((one) => ({ ...one, created_at: one.created_at.toISOString() })),
    credit_cards: cards.map((card) => serializeCreditCard(card, isAdmin(ctx.actor))),
  };
  return streamJson(head, 'orders', serializeOrders(ctx, orders));
}

async function* serializeOrders(
  ctx: Ctx,
  pages: PersonalData['orders'],
): AsyncGenerator<z.output<typeof OrderDetailJson>[]> {
  for await (const orders of pages) yield (await loadOrderViews(ctx, orders)).map(serializeOrderDetail);
}
