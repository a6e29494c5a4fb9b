/**
 * SQL: what an operation `op` of a payment `p` has moved. The void of a captured payment of a canceled order also gives back the other
 * captures of its authorization, which have no void of their own.
 */
export const MOVED_AMOUNT = `(op.amount + CASE WHEN op.kind = 'void' AND op.event = 'cancel' AND op.state_before = 'completed' THEN (
  SELECT coalesce(sum(other.amount), 0) FROM payments other
   WHERE other.order_id = p.order_id AND other.id <> p.id AND other.state = 'void'
     AND coalesce(other.authorized_payment_id, other.id) = coalesce(p.authorized_payment_id, p.id)
     AND EXISTS (SELECT FROM payment_operations taken
                  WHERE taken.payment_id = other.id AND taken.kind IN ('purchase', 'capture') AND taken.state = 'approved')
     AND NOT EXISTS (SELECT FROM payment_operations own
                      WHERE own.payment_id = other.id AND own.kind = 'void' AND own.state = 'approved')) ELSE 0 END)`;
