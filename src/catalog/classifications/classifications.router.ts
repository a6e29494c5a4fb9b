import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { ClassificationMove, ClassificationMoved } from './classifications.schema';
import { moveClassification } from './classifications.service';

export function classificationsRouter(): ApiRouter {
  const router = createApiRouter('Classifications', 'catalog');

  endpoint(router, 'put /classifications', {
    access: 'admin',
    summary: 'Move a product within a taxon',
    description: '`position` counts from 0; the `position` of a classification in a product counts from 1.',
    input: ClassificationMove,
    reply: ClassificationMoved,
    handle: async (ctx, { input }) => {
      await moveClassification(ctx, input);
      return {};
    },
  });
  return router;
}
