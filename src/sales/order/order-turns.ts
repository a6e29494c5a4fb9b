import { createTurns, type Turns } from '../../platform/turns';

/**
 * Creates the turns of changes of an order, by its number. Requests for the same order would only wait for its lock; in
 * turn they do so without a connection or a slot, which others need. Only the lock keeps instances apart.
 */
export function createOrderTurns(): Turns {
  return createTurns({ waiting: 50, waitMs: 10_000 });
}
