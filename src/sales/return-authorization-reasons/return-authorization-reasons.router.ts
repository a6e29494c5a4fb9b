import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import {
  RETURN_REASON_REQUIRED,
  ReturnReasonCreate,
  ReturnReasonJson,
  ReturnReasonUpdate,
} from './return-authorization-reasons.schema';
import { returnReasonSearch } from './return-authorization-reasons.search';
import { serializeReturnReason } from './return-authorization-reasons.serializer';
import {
  changeReturnReason,
  createReturnReason,
  getReturnReason,
  listReturnReasons,
  removeReturnReason,
} from './return-authorization-reasons.service';

export function returnReasonsRouter(): ApiRouter {
  const router = apiRouter('Return authorization reasons');

  endpoint(router, 'get /return_authorization_reasons', {
    access: 'admin',
    summary: 'Why customers give goods back',
    search: returnReasonSearch,
    paged: { key: 'return_authorization_reasons', item: ReturnReasonJson },
    handle: async (ctx, { list }) => mapPage(await listReturnReasons(ctx, list), serializeReturnReason),
  });
  endpoint(router, 'get /return_authorization_reasons/new', {
    access: 'admin',
    summary: 'What a reason has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: Object.keys(ReturnReasonJson.shape),
        required_attributes: [...RETURN_REASON_REQUIRED],
      }),
  });
  endpoint(router, 'get /return_authorization_reasons/:id', {
    access: 'admin',
    summary: 'One reason',
    params: IdParams,
    reply: ReturnReasonJson,
    handle: async (ctx, { params }) => serializeReturnReason(await getReturnReason(ctx, params.id)),
  });
  endpoint(router, 'post /return_authorization_reasons', {
    access: 'admin',
    summary: 'Create a reason',
    input: ReturnReasonCreate,
    status: 201,
    reply: ReturnReasonJson,
    handle: async (ctx, { input }) =>
      serializeReturnReason(await createReturnReason(ctx, input.return_authorization_reason)),
  });
  endpoint(router, 'put /return_authorization_reasons/:id', {
    access: 'admin',
    summary: 'Change a reason, if it is mutable',
    params: IdParams,
    input: ReturnReasonUpdate,
    subject: (ctx, params) => getReturnReason(ctx, params.id),
    reply: ReturnReasonJson,
    handle: async (ctx, { params, input }) =>
      serializeReturnReason(await changeReturnReason(ctx, params.id, input.return_authorization_reason)),
  });
  endpoint(router, 'delete /return_authorization_reasons/:id', {
    access: 'admin',
    summary: 'Delete a mutable reason no return has given',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeReturnReason(ctx, params.id),
  });
  return router;
}
