import type { Audience } from '../../catalog/audience';
import type { ListedStateChange } from '../order/state-changes.repository';
import type { StateChangeJson } from './state-changes.schema';

/** Converts a state change to JSON. Only admins see the user. */
export function serializeStateChange(change: ListedStateChange, audience: Audience): StateChangeJson {
  const { user_id, user_email } = change;
  const user = user_id === null || user_email === null ? null : { id: user_id, email: user_email };
  return {
    id: change.id,
    subject_type: change.subject_type,
    subject_id: change.subject_id,
    number: change.number,
    from_state: change.from_state,
    to_state: change.to_state,
    reason: change.reason,
    ...(audience === 'admin' && { user }),
    created_at: change.created_at.toISOString(),
  };
}
