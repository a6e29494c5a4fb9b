import type { Ctx } from '../context';
import { z } from 'zod';
import { audienceOf } from '../../catalog/audience';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { StateChangeJson } from './state-changes.schema';
import { stateChangeSearch } from '../order/state-changes.search';
import { serializeStateChange } from './state-changes.serializer';
import { listHistory } from './state-changes.service';

export function historyRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Orders', 'orders');

  endpoint(router, 'get /orders/:number/history', {
    access: 'order',
    summary: 'List the history of an order, oldest first',
    description: 'All state changes of the order, its payments, shipments and returns.',
    params: z.object({ number: PathName }),
    search: stateChangeSearch,
    private: true,
    paged: { key: 'state_changes', item: StateChangeJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listHistory(ctx, params.number, list), (change) =>
        serializeStateChange(change, audienceOf(ctx.actor)),
      ),
  });
  return router;
}
