import type { Audience } from '../../catalog/audience';
import type { ListedStateChange } from '../order/state-changes.repository';
import type { OrderChangeRow } from '../order/order-changes.repository';
import type { OrderChangeJson } from './order-changes.schema';
import type { StateChangeJson } from './state-changes.schema';

/** Converts a state change to JSON. Only admins see the user. */
export function serializeStateChange(change: ListedStateChange, audience: Audience): StateChangeJson {
  return {
    id: change.id,
    subject_type: change.subject_type,
    subject_id: change.subject_id,
    number: change.number,
    from_state: change.from_state,
    to_state: change.to_state,
    reason: change.reason,
    ...serializeUser(change, audience),
    created_at: change.created_at.toISOString(),
  };
}

/** Converts a change of what was sold to JSON. Only admins see the user. */
export function serializeOrderChange(change: OrderChangeRow, audience: Audience): OrderChangeJson {
  const { id, subject_type, subject_id, label, changes, reason, created_at } = change;
  return {
    id,
    subject_type,
    subject_id,
    label,
    reason,
    changes: Object.fromEntries(
      Object.entries(changes).map(([name, [before, after]]) => [name, [before, after]]),
    ),
    ...serializeUser(change, audience),
    created_at: created_at.toISOString(),
  };
}

function serializeUser(
  { user_id, user_email }: Pick<OrderChangeRow, 'user_id' | 'user_email'>,
  audience: Audience,
): Pick<StateChangeJson, 'user'> {
  if (audience !== 'admin') return {};
  return { user: user_id === null || user_email === null ? null : { id: user_id, email: user_email } };
}
