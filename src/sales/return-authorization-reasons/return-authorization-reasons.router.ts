import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { ReturnReason } from './return-authorization-reasons.definition';
import { returnReasons } from './return-authorization-reasons.service';

export function returnReasonsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Return authorization reasons', 'settings');
  declareEndpoints(router, {
    definition: ReturnReason,
    useCases: returnReasons,
    serialize: ReturnReason.serialize,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'List the reasons for returns',
      update: 'Update a reason, if it is mutable',
      delete: 'Delete a mutable reason that no return has used',
    },
  });
  return router;
}
