import { isEventLoopBusy } from '../platform/event-loop';
import { createFairShare } from '../platform/fair-share';
import type { Application } from '../platform/http/application';
import type { Access } from './access';
import type { Ctx } from './context';
import { clientOf, LIMITS } from './limits';

/**
 * Creates the functions that bound what shoppers of one network address take. Guests have a budget, with or without an order token;
 * guests and customers take turns with shoppers of other addresses. Members of staff never wait.
 */
export function shareProcessor(): Pick<Application<Ctx, Access>, 'charge' | 'turns'> {
  const share = createFairShare({ isBusy: isEventLoopBusy });
  return {
    charge: async ({ actor, limits, clientAddress }, cost) => {
      if (actor.kind === 'admin') return;
      const client = clientOf(clientAddress);
      share.spend(client, cost);
      if (actor.kind === 'guest') await limits.spend({ limit: LIMITS.costFromAddress, key: client }, cost);
    },
    turns: {
      take: async (clientAddress) => {
        const client = clientOf(clientAddress);
        const end = await share.begin(client);
        return (cost) => {
          share.spend(client, cost);
          end();
        };
      },
      isExhausted: (clientAddress) => share.isExhausted(clientOf(clientAddress)),
      spend: (clientAddress, cost) => share.spend(clientOf(clientAddress), cost),
    },
  };
}
