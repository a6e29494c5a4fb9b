import type { ReturnReasonRow } from './return-authorization-reasons.repository';
import type { ReturnReasonJson } from './return-authorization-reasons.schema';

export function serializeReturnReason(reason: ReturnReasonRow): ReturnReasonJson {
  return { id: reason.id, name: reason.name, active: reason.active, mutable: reason.mutable };
}
