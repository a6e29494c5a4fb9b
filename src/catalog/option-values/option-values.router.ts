import { z } from 'zod';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { reference, wrapped } from '../../platform/http/fields';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { catalogReplies } from '../catalog-replies';
import { OptionValue, serializeOptionValue } from './option-values.definition';
import {
  createOptionValue,
  deleteOptionValue,
  getOptionValue,
  listOptionValues,
  requireOptionType,
  updateOptionValue,
} from './option-values.service';

/** The body of a create request; clients also send the type next to the wrapper. */
const OptionValueCreate = wrapped('option_value', OptionValue.Attributes, {
  option_type_id: reference().optional.meta({ description: 'Same as inside `option_value`.' }),
});

/** Builds the router of option values: top-level paths, and paths nested below an option type. */
export function optionValuesRouter(): ApiRouter {
  const router = createApiRouter('Option values', 'catalog');

  endpoint(router, 'get /option_values', {
    access: 'anyone',
    summary: 'List option values, by position',
    description: 'A bare array. Not paginated unless `page` or `per_page` is sent.',
    search: OptionValue.search,
    query: z.object({ option_type_id: reference().optional.catch(undefined) }),
    paged: { key: 'option_values', item: OptionValue.Json, bare: true },
    cache: catalogReplies,
    handle: async (ctx, { query, list }) =>
      mapPage(await listOptionValues(ctx, list, query.option_type_id ?? null), serializeOptionValue),
  });
  endpoint(router, 'get /option_values/new', {
    access: 'anyone',
    summary: 'Attributes of an option value; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    reply: AttributeListJson,
    handle: () => Promise.resolve(OptionValue.attributeList),
  });
  endpoint(router, 'get /option_values/:id', {
    access: 'anyone',
    summary: 'Get an option value',
    description: 'With the name and the presentation of its option type.',
    params: IdParams,
    reply: OptionValue.Json,
    cache: catalogReplies,
    handle: async (ctx, { params }) => serializeOptionValue(await getOptionValue(ctx, params.id, null)),
  });
  endpoint(router, 'post /option_values', {
    access: 'admin',
    summary: 'Create an option value',
    description: '`option_type_id` is optional; values without an option type belong to no variant.',
    input: OptionValueCreate,
    status: 201,
    reply: OptionValue.Json,
    handle: async (ctx, { input }) => {
      const typeId = input.option_value.option_type_id ?? input.option_type_id ?? null;
      return serializeOptionValue(await createOptionValue(ctx, input.option_value, typeId));
    },
  });
  endpoint(router, 'put /option_values/:id', {
    access: 'admin',
    summary: 'Update an option value',
    description: 'Omitted attributes keep their value. Variants show the new presentation at once.',
    params: IdParams,
    input: OptionValue.Update,
    subject: (ctx, params) => getOptionValue(ctx, params.id, null),
    reply: OptionValue.Json,
    handle: async (ctx, { params, input }) =>
      serializeOptionValue(
        await updateOptionValue(ctx, { id: params.id, option_type_id: null }, input.option_value),
      ),
  });
  endpoint(router, 'delete /option_values/:id', {
    access: 'admin',
    summary: 'Delete an option value',
    description: 'Variants lose the value.',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => deleteOptionValue(ctx, params.id, null),
  });
  declareNestedEndpoints(router);
  return router;
}

const TypeParams = z.object({ option_type_id: PathId });
const NestedParams = TypeParams.extend({ id: PathId });

function declareNestedEndpoints(router: ApiRouter): void {
  endpoint(router, 'get /option_types/:option_type_id/option_values', {
    access: 'anyone',
    summary: 'List the values of an option type, by position',
    description: 'Filter and sort with `q`.',
    params: TypeParams,
    search: OptionValue.search,
    paged: { key: 'option_values', item: OptionValue.Json, bare: true },
    cache: catalogReplies,
    handle: async (ctx, { params, list }) => {
      await requireOptionType(ctx, params.option_type_id);
      return mapPage(await listOptionValues(ctx, list, params.option_type_id), serializeOptionValue);
    },
  });
  endpoint(router, 'get /option_types/:option_type_id/option_values/new', {
    access: 'anyone',
    summary: 'Attributes of an option value; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    params: TypeParams,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await requireOptionType(ctx, params.option_type_id);
      return OptionValue.attributeList;
    },
  });
  endpoint(router, 'get /option_types/:option_type_id/option_values/:id', {
    access: 'anyone',
    summary: 'Get a value of an option type',
    description: 'Returns 404 for a value of another option type.',
    params: NestedParams,
    reply: OptionValue.Json,
    cache: catalogReplies,
    handle: async (ctx, { params }) =>
      serializeOptionValue(await getOptionValue(ctx, params.id, params.option_type_id)),
  });
  endpoint(router, 'post /option_types/:option_type_id/option_values', {
    access: 'admin',
    summary: 'Create a value of an option type',
    description: 'The position defaults to the last.',
    params: TypeParams,
    input: OptionValueCreate,
    subject: (ctx, params) => requireOptionType(ctx, params.option_type_id),
    status: 201,
    reply: OptionValue.Json,
    handle: async (ctx, { params, input }) => {
      await requireOptionType(ctx, params.option_type_id);
      return serializeOptionValue(await createOptionValue(ctx, input.option_value, params.option_type_id));
    },
  });
  endpoint(router, 'put /option_types/:option_type_id/option_values/:id', {
    access: 'admin',
    summary: 'Update a value of an option type',
    description: 'Omitted attributes keep their value. Variants show the new presentation at once.',
    params: NestedParams,
    input: OptionValue.Update,
    subject: (ctx, params) => getOptionValue(ctx, params.id, params.option_type_id),
    reply: OptionValue.Json,
    handle: async (ctx, { params, input }) =>
      serializeOptionValue(await updateOptionValue(ctx, params, input.option_value)),
  });
  endpoint(router, 'delete /option_types/:option_type_id/option_values/:id', {
    access: 'admin',
    summary: 'Delete a value of an option type',
    description: 'Variants lose the value.',
    params: NestedParams,
    status: 204,
    handle: (ctx, { params }) => deleteOptionValue(ctx, params.id, params.option_type_id),
  });
}
