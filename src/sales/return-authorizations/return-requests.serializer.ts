import type { RequestedReturn, ReturnOffer } from './return-requests.service';
import type { RequestedItem } from './return-requests.repository';
import type { ReturnOfferJson, ReturnRequestJson } from './return-requests.schema';

/** Serializes a return for the customer who requested it; the memo of staff is not part of it. */
export function serializeReturnRequest(authorization: RequestedReturn): ReturnRequestJson {
  const { id, number, state, customer_memo, decline_reason, created_at, updated_at } = authorization;
  return {
    id,
    number,
    state,
    memo: customer_memo,
    decline_reason,
    items: serializeRequestedItems(authorization.requested_items),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

export function serializeRequestedItems(items: readonly RequestedItem[]): ReturnRequestJson['items'] {
  return items.map(({ line_item_id, quantity, reason_id }) => ({ line_item_id, quantity, reason_id }));
}

export function serializeReturnOffer({ lines, reasons }: ReturnOffer): ReturnOfferJson {
  return {
    items: lines.map(({ line_item_id, variant_id, quantity }) => ({ line_item_id, variant_id, quantity })),
    return_authorization_reasons: reasons.map(({ id, name }) => ({ id, name })),
  };
}
