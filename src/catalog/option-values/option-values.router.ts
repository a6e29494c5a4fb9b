import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { reference } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { PathId } from '../../platform/http/path-parameters';
import { catalogReplies } from '../catalog-replies';
import { OptionValue } from './option-values.definition';
import {
  createOptionValue,
  deleteOptionValue,
  getOptionValue,
  listOptionValues,
  requireOptionType,
  updateOptionValue,
} from './option-values.service';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

/** The body of a create request; clients also send the type next to the wrapper. */
const OptionValueCreate = wrapped('option_value', OptionValue.Attributes, {
  option_type_id: reference().optional.describe('Same as inside `option_value`.'),
});

/** What the records have in common, at the top level and below an option type. */
const VALUES = {
  access: { read: 'anyone', write: 'admin' },
  reply: OptionValue.Json,
  serialize: OptionValue.serialize,
  cache: catalogReplies,
  new: {
    summary: 'Attributes of an option value; required ones are marked',
    attributes: OptionValue.attributeList,
  },
} as const;

/** Builds the router of option values: top-level paths, and paths nested below an option type. */
export function optionValuesRouter(): ApiRouter {
  const router = createApiRouter('Option values', 'catalog');

  declareRecordEndpoints(router, '/option_values', {
    ...VALUES,
    list: {
      summary: 'List option values, by position',
      description: 'A bare array. Not paginated unless `page` or `per_page` is sent.',
      query: z.object({ option_type_id: reference().optional.catch(undefined) }),
      search: OptionValue.search,
      bare: true,
      handle: (ctx, { query, list }) => listOptionValues(ctx, list, query.option_type_id ?? null),
    },
    get: (ctx, params) => getOptionValue(ctx, params.id, null),
    show: {
      summary: 'Get an option value',
      description: 'With the name and the presentation of its option type.',
    },
    create: {
      summary: 'Create an option value',
      description: '`option_type_id` is optional; values without an option type belong to no variant.',
      input: OptionValueCreate,
      handle: (ctx, { input }) => {
        const typeId = input.option_value.option_type_id ?? input.option_type_id ?? null;
        return createOptionValue(ctx, input.option_value, typeId);
      },
    },
    update: {
      summary: 'Update an option value',
      description: 'Omitted attributes keep their value. Variants show the new presentation at once.',
      input: OptionValue.Update,
      handle: (ctx, { params, input }) =>
        updateOptionValue(ctx, { id: params.id, option_type_id: null }, input.option_value),
    },
    delete: {
      summary: 'Delete an option value',
      description: 'Variants lose the value.',
      handle: (ctx, { params }) => deleteOptionValue(ctx, params.id, null),
    },
  });
  declareNestedEndpoints(router);
  return router;
}

const TypeParams = z.object({ option_type_id: PathId });

function declareNestedEndpoints(router: ApiRouter): void {
  declareRecordEndpoints(router, '/option_types/:option_type_id/option_values', {
    params: TypeParams,
    ...VALUES,
    parent: (ctx, params) => requireOptionType(ctx, params.option_type_id),
    get: (ctx, params) => getOptionValue(ctx, params.id, params.option_type_id),
    list: {
      summary: 'List the values of an option type, by position',
      description: 'Filter and sort with `q`.',
      search: OptionValue.search,
      bare: true,
      handle: async (ctx, { params, list }) => {
        await requireOptionType(ctx, params.option_type_id);
        return listOptionValues(ctx, list, params.option_type_id);
      },
    },
    show: {
      summary: 'Get a value of an option type',
      description: 'Returns 404 for a value of another option type.',
    },
    create: {
      summary: 'Create a value of an option type',
      description: 'The position defaults to the last.',
      input: OptionValueCreate,
      handle: async (ctx, { params, input }) => {
        await requireOptionType(ctx, params.option_type_id);
        return createOptionValue(ctx, input.option_value, params.option_type_id);
      },
    },
    update: {
      summary: 'Update a value of an option type',
      description: 'Omitted attributes keep their value. Variants show the new presentation at once.',
      input: OptionValue.Update,
      handle: (ctx, { params, input }) => updateOptionValue(ctx, params, input.option_value),
    },
    delete: {
      summary: 'Delete a value of an option type',
      description: 'Variants lose the value.',
      handle: (ctx, { params }) => deleteOptionValue(ctx, params.id, params.option_type_id),
    },
  });
}
