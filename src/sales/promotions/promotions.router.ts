import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { PathIdOrName } from '../../platform/http/path-parameters';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { Promotion } from './promotions.definition';
import { serializePromotion } from './promotions.serializer';
import { promotions } from './promotions.service';

export function promotionsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Promotions', 'settings');
  declareEndpoints(router, {
    definition: Promotion,
    useCases: promotions,
    serialize: serializePromotion,
    access: { read: 'admin', write: 'admin' },
    id: PathIdOrName,
    summaries: {
      list: 'List promotions with their rules and actions',
      show: 'Get a promotion by id or code',
      create: 'Create a promotion with its rules and actions',
    },
    descriptions: {
      create:
        'A promotion with a code is applied by entering the code; one without a code applies to every order that ' +
        'qualifies. Only the best discount counts for each line item, for the whole order and for shipping.',
      update: 'Open orders are recalculated with their next change; complete orders keep their discounts.',
      delete: 'Open orders lose the promotion with their next change; complete orders keep their discounts.',
    },
  });
  return router;
}
