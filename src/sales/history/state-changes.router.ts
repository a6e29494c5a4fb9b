import type { Ctx } from '../context';
import { z } from 'zod';
import { audienceOf } from '../../catalog/audience';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { OrderChangeJson } from './order-changes.schema';
import { StateChangeJson } from './state-changes.schema';
import { stateChangeSearch } from '../order/state-changes.search';
import { serializeOrderChange, serializeStateChange } from './state-changes.serializer';
import { listHistory } from './state-changes.service';

export function historyRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Orders', 'orders');

  endpoint(router, 'get /orders/:number/history', {
    access: 'order',
    summary: 'List the history of an order, oldest first',
    description:
      'All state changes of the order, its payments, shipments and returns. `changes` lists what was changed of a complete order, with the values before and after: lines, prices, addresses, shipments, adjustments, amounts of payments, and refunds. `page` and `per_page` apply to both lists, `q` to `state_changes` only.',
    params: z.object({ number: PathName }),
    search: stateChangeSearch,
    private: true,
    paged: {
      key: 'state_changes',
      item: StateChangeJson,
      more: {
        changes: z.array(OrderChangeJson).describe('What was changed of a complete order.'),
        changes_count: z.int().meta({ description: 'The total number of changes.', examples: [1] }),
      },
    },
    handle: async (ctx, { params, list }) => {
      const audience = audienceOf(ctx.actor);
      const { states, changes } = await listHistory(ctx, params.number, list);
      return {
        ...mapPage(states, (change) => serializeStateChange(change, audience)),
        more: {
          changes: changes.rows.map((change) => serializeOrderChange(change, audience)),
          changes_count: changes.total,
        },
      };
    },
  });
  return router;
}
