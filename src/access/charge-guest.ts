import type { Ctx } from './context';
import { clientOf, LIMITS } from './limits';

/** Charges the address of a guest for a request, with or without an order token. @throws TooManyAttempts */
export async function chargeGuest(
  { actor, limits, clientAddress }: Pick<Ctx, 'actor' | 'limits' | 'clientAddress'>,
  cost: number,
): Promise<void> {
  if (actor.kind !== 'guest') return;
  await limits.spend({ limit: LIMITS.costFromAddress, key: clientOf(clientAddress) }, cost);
}
