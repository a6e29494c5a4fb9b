import { z } from 'zod';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathIdOrName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import {
  PROMOTION_ATTRIBUTES,
  PROMOTION_REQUIRED,
  PromotionCreate,
  PromotionJson,
  PromotionUpdate,
} from './promotions.schema';
import { promotionSearch } from './promotions.search';
import { serializePromotion } from './promotions.serializer';
import {
  changePromotion,
  createPromotion,
  getPromotion,
  listPromotions,
  removePromotion,
} from './promotions.service';

const PromotionParams = z.object({ id: PathIdOrName });

export function promotionsRouter(): ApiRouter {
  const router = apiRouter('Promotions');

  endpoint(router, 'get /promotions', {
    access: 'admin',
    summary: 'Promotions with their rules and actions',
    search: promotionSearch,
    paged: { key: 'promotions', item: PromotionJson },
    handle: async (ctx, { list }) => mapPage(await listPromotions(ctx, list), serializePromotion),
  });
  endpoint(router, 'get /promotions/new', {
    access: 'admin',
    summary: 'What a promotion has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: [...PROMOTION_ATTRIBUTES],
        required_attributes: [...PROMOTION_REQUIRED],
      }),
  });
  endpoint(router, 'get /promotions/:id', {
    access: 'admin',
    summary: 'One promotion, by id or code',
    params: PromotionParams,
    reply: PromotionJson,
    handle: async (ctx, { params }) => serializePromotion(await getPromotion(ctx, params.id)),
  });
  endpoint(router, 'post /promotions', {
    access: 'admin',
    summary: 'Create a promotion with its rules and actions',
    description:
      'With a code shoppers enter it, without one every order that fits has it. Of all discounts per line the best one counts, and so of those for the whole order and of those on shipping.',
    input: PromotionCreate,
    status: 201,
    reply: PromotionJson,
    handle: async (ctx, { input }) => serializePromotion(await createPromotion(ctx, input.promotion)),
  });
  endpoint(router, 'put /promotions/:id', {
    access: 'admin',
    summary: 'Change a promotion',
    description: 'Open orders follow with their next change; what was sold keeps its discounts.',
    params: PromotionParams,
    input: PromotionUpdate,
    subject: (ctx, params) => getPromotion(ctx, params.id),
    reply: PromotionJson,
    handle: async (ctx, { params, input }) =>
      serializePromotion(await changePromotion(ctx, params.id, input.promotion)),
  });
  endpoint(router, 'delete /promotions/:id', {
    access: 'admin',
    summary: 'Delete a promotion',
    description: 'Open orders lose it with their next change; what was sold keeps its discounts.',
    params: PromotionParams,
    status: 204,
    handle: (ctx, { params }) => removePromotion(ctx, params.id),
  });
  return router;
}
