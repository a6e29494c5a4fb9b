import type { Ctx } from '../context';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { conventionalEndpoints } from '../../platform/resource/endpoints';
import { ReturnReason } from './return-authorization-reasons.definition';
import { returnReasons } from './return-authorization-reasons.service';

export function returnReasonsRouter(): ApiRouter<Ctx> {
  const router = apiRouter<Ctx>('Return authorization reasons');
  conventionalEndpoints(router, {
    definition: ReturnReason,
    useCases: returnReasons,
    serialize: ReturnReason.serialize,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'Why customers return items',
      update: 'Update a reason, if it is mutable',
      delete: 'Delete a mutable reason that no return has used',
    },
  });
  return router;
}
