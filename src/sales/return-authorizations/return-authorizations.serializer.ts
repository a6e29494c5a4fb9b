import { formatDecimal } from '../../platform/money';
import { serializeRequestedItems } from './return-requests.serializer';
import type { CreatedReturn } from './new-returns.service';
import type { ReturnAuthorizationRow } from './return-authorizations.repository';
import type { ReturnAuthorizationJson } from './return-authorizations.schema';

export function serializeReturnAuthorization(row: ReturnAuthorizationRow): ReturnAuthorizationJson {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    order_id: row.order_id,
    memo: row.memo,
    customer_memo: row.customer_memo,
    decline_reason: row.decline_reason,
    ...(row.items !== undefined && {
      items: row.items.map(({ line_item_id, variant_id, quantity, restock }) => ({
        line_item_id,
        variant_id,
        quantity,
        restock,
      })),
    }),
    ...(row.requested_items !== undefined && {
      requested_items: serializeRequestedItems(row.requested_items),
    }),
    amount: formatDecimal(row.amount),
    stock_location_id: row.stock_location_id,
    return_authorization_reason_id: row.return_authorization_reason_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Serializes a return; a new one with its refunds, if they were requested. */
export function serializeReturn(shown: ReturnAuthorizationRow | CreatedReturn): ReturnAuthorizationJson {
  if (!('authorization' in shown)) return serializeReturnAuthorization(shown);
  const { authorization, refunds } = shown;
  const json = serializeReturnAuthorization(authorization);
  if (refunds === undefined) return json;
  return { ...json, refunds: refunds.map((one) => ({ ...one, amount: formatDecimal(one.amount) })) };
}
