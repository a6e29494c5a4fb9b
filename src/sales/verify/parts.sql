-- Parts that several files use. A part or an invariant contains others as ${NAME}.

-- part: COUNTED_STATE
-- The state of payment `p` that counts in the totals of its order: during a gateway call, the state before the call.
coalesce(
  (SELECT state_before FROM payment_operations
    WHERE payment_operations.payment_id = p.id AND payment_operations.state = 'started'), p.state)

-- part: SOLD
-- The states of orders that have been completed, as an SQL list.
('complete', 'canceled', 'awaiting_return', 'returned', 'resumed')

-- part: SOLD_AND_KEPT
-- The states of `SOLD` in which the order holds its units, as an SQL list.
('complete', 'awaiting_return', 'returned', 'resumed')

-- part: BEING_COMPLETED
-- A condition: order `o` is being completed. Its stock is taken, and a gateway call for its payment is running.
EXISTS (
  SELECT FROM payments p JOIN payment_operations op ON op.payment_id = p.id
   WHERE p.order_id = o.id AND op.state = 'started' AND op.purpose = 'complete_order')
