import { findStockLocation } from '../../inventory/stock-locations/stock-locations.repository';
import type { Tx } from '../../platform/database/transaction';
import { roundMoney, type Currency } from '../../platform/money';
import { isReturnReasonOffered } from '../return-authorization-reasons/return-authorization-reasons.repository';
import type { ReturnAuthorizationRow } from './return-authorizations.repository';

interface References {
  stock_location_id?: number | null | undefined;
  return_authorization_reason_id?: number | null | undefined;
}

/** Returns the given ids; null for a record that does not exist, is deleted or is inactive. */
export async function findReferences(
  tx: Tx,
  { stock_location_id, return_authorization_reason_id }: References,
) {
  const location = stock_location_id == null ? undefined : await findStockLocation(tx, stock_location_id);
  const isReason =
    return_authorization_reason_id != null &&
    (await isReturnReasonOffered(tx, return_authorization_reason_id));
  return {
    stock_location_id: location?.id ?? null,
    return_authorization_reason_id: isReason ? return_authorization_reason_id : null,
  };
}

type AmountColumns = Pick<ReturnAuthorizationRow, 'amount' | 'amount_is_explicit'>;

/** The columns of a return that credits the value of its units. */
export const NO_AMOUNT: AmountColumns = { amount: '0', amount_is_explicit: false };

/**
 * Removes the sign and rounds the amount. Some clients send amounts of returns as negative numbers. Null removes the
 * amount.
 */
export function normalizeAmount(
  amount: string | null | undefined,
  currency: Currency,
): Partial<AmountColumns> {
  if (amount === undefined) return {};
  if (amount === null) return NO_AMOUNT;
  return { amount: roundMoney(amount.replace(/^-/, ''), currency), amount_is_explicit: true };
}
