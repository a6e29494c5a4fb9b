import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { PathIdOrName } from '../../platform/http/path-parameters';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { Promotion } from './promotions.definition';
import { serializePromotion } from './promotions.serializer';
import { promotions } from './promotions.service';

export function promotionsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Promotions');
  declareEndpoints(router, {
    definition: Promotion,
    useCases: promotions,
    serialize: serializePromotion,
    access: { read: 'admin', write: 'admin' },
    id: PathIdOrName,
    summaries: {
      list: 'Promotions with their rules and actions',
      show: 'One promotion, by id or code',
      create: 'Create a promotion with its rules and actions',
    },
    descriptions: {
      create:
        'With a code shoppers enter it; without one every order that qualifies gets it. The best discount per line ' +
        'counts, and likewise the best for the whole order and the best on shipping.',
      update: 'Open orders follow with their next change; completed orders keep their discounts.',
      delete: 'Open orders lose it with their next change; completed orders keep their discounts.',
    },
  });
  return router;
}
