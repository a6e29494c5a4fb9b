import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { catalogReplies } from '../catalog-replies';
import {
  OPTION_TYPE_REQUIRED,
  OptionTypeCreate,
  OptionTypeJson,
  OptionTypeUpdate,
} from './option-types.schema';
import { optionTypeSearch } from './option-types.search';
import { serializeOptionType } from './option-types.serializer';
import {
  changeOptionType,
  createOptionType,
  getOptionType,
  listOptionTypes,
  removeOptionType,
} from './option-types.service';

export function optionTypesRouter(): ApiRouter {
  const router = apiRouter('Option types');

  endpoint(router, 'get /option_types', {
    access: 'anyone',
    summary: 'Option types with their values, by position',
    description: 'A bare array; the whole list unless `page` or `per_page` is sent.',
    search: optionTypeSearch,
    paged: { key: 'option_types', item: OptionTypeJson, bare: true },
    cache: catalogReplies,
    handle: async (ctx, { list }) => mapPage(await listOptionTypes(ctx, list), serializeOptionType),
  });
  endpoint(router, 'get /option_types/new', {
    access: 'anyone',
    summary: 'What an option type has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: ['id', 'name', 'presentation', 'position'],
        required_attributes: [...OPTION_TYPE_REQUIRED],
      }),
  });
  endpoint(router, 'get /option_types/:id', {
    access: 'anyone',
    summary: 'One option type with its values',
    params: IdParams,
    reply: OptionTypeJson,
    cache: catalogReplies,
    handle: async (ctx, { params }) => serializeOptionType(await getOptionType(ctx, params.id)),
  });
  endpoint(router, 'post /option_types', {
    access: 'admin',
    summary: 'Create an option type, with values if you like',
    input: OptionTypeCreate,
    status: 201,
    reply: OptionTypeJson,
    handle: async (ctx, { input }) => serializeOptionType(await createOptionType(ctx, input.option_type)),
  });
  endpoint(router, 'put /option_types/:id', {
    access: 'admin',
    summary: 'Change an option type',
    params: IdParams,
    input: OptionTypeUpdate,
    subject: (ctx, params) => getOptionType(ctx, params.id),
    reply: OptionTypeJson,
    handle: async (ctx, { params, input }) =>
      serializeOptionType(await changeOptionType(ctx, params.id, input.option_type)),
  });
  endpoint(router, 'delete /option_types/:id', {
    access: 'admin',
    summary: 'Delete an option type with its values',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeOptionType(ctx, params.id),
  });
  return router;
}
