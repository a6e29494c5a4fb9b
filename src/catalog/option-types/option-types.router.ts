import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { catalogReplies } from '../catalog-replies';
import { OptionType } from './option-types.definition';
import { serializeOptionType } from './option-types.definition';
import { optionTypes } from './option-types.service';

export function optionTypesRouter(): ApiRouter {
  const router = createApiRouter('Option types', 'catalog');
  declareEndpoints(router, {
    definition: OptionType,
    useCases: optionTypes,
    serialize: serializeOptionType,
    access: { read: 'anyone', write: 'admin' },
    cache: catalogReplies,
    bare: true,
    summaries: {
      list: 'List option types with their values, by position',
      show: 'Get an option type with its values',
      create: 'Create an option type, optionally with values',
      delete: 'Delete an option type with its values',
    },
    descriptions: { list: 'A bare array. Not paginated unless `page` or `per_page` is sent.' },
  });
  return router;
}
