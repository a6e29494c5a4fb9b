import { listFromStates, sameState, type Row } from '../../platform/state-machine';
import { checkoutMachine } from '../order/checkout.machine';
import type { HistorySubject } from '../order/state-changes.repository';
import { orderMachine } from '../order/order.machine';
import { orderReturnsMachine } from '../order/order-returns.machine';
import { paymentMachine } from '../order/payment.machine';
import { restartMachine } from '../order/restart.machine';
import { returnAuthorizationMachine } from '../order/return-authorization.machine';
import { shipmentMachine } from '../order/shipment.machine';

/** A step that a history may contain; `from_state` is null for the creation of the record. */
export interface StateEdge {
  subject_type: HistorySubject;
  from_state: string | null;
  to_state: string;
}

/** The states of a row of a transition table. */
type AnyRow = Pick<
  Row<string, string, never, string, string>,
  'from' | 'to' | 'through' | 'refusedTo' | 'calls'
>;
type Step = readonly [from: string | null, to: string];

/**
 * Lists every step a history may contain: the rows of the state machines, and the states in which records are created.
 */
export function listStateEdges(): StateEdge[] {
  return [
    ...buildEdges('order', [
      [null, 'cart'],
      ...listSteps([
        ...checkoutMachine.rows,
        ...restartMachine.rows,
        ...orderMachine.rows,
        ...orderReturnsMachine.rows,
      ]),
    ]),
    ...buildEdges('payment', [
      [null, 'checkout'],
      // The rest of a partial capture is created as an authorized payment.
      [null, 'pending'],
      ...listSteps(paymentMachine.rows),
    ]),
    ...buildEdges('shipment', [[null, 'pending'], ...listSteps(shipmentMachine.rows)]),
    ...buildEdges('return_authorization', [
      [null, 'authorized'],
      [null, 'requested'],
      ...listSteps(returnAuthorizationMachine.rows),
    ]),
  ];
}

function buildEdges(subject_type: HistorySubject, steps: readonly Step[]): StateEdge[] {
  const edges = steps.map(([from_state, to_state]) => ({ subject_type, from_state, to_state }));
  return [...new Map(edges.map((edge) => [`${edge.from_state} ${edge.to_state}`, edge])).values()];
}

/**
 * Lists the steps of a transition table. A row with an outside call has two: to the waiting state, and on from there.
 */
function listSteps(rows: readonly AnyRow[]): Step[] {
  return rows.flatMap((row) => listFromStates(row).flatMap((from) => listStepsFrom(from, row)));
}

function listStepsFrom(from: string, row: AnyRow): Step[] {
  const to = row.to === sameState ? from : row.to;
  const through = row.calls === undefined ? from : (row.through ?? from);
  const steps: Step[] = [
    [from, through],
    [through, to],
    [through, row.refusedTo ?? from],
  ];
  return steps.filter(([one, other]) => one !== other);
}
