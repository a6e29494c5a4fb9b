import { listFromStates, sameState, type Row } from '../src/platform/state-machine';
import { checkoutMachine } from '../src/sales/order/checkout.machine';
import { inventoryUnitMachine } from '../src/sales/order/inventory-unit.machine';
import { orderMachine } from '../src/sales/order/order.machine';
import { orderReturnsMachine } from '../src/sales/order/order-returns.machine';
import { paymentMachine } from '../src/sales/order/payment.machine';
import { restartMachine } from '../src/sales/order/restart.machine';
import { returnAuthorizationMachine } from '../src/sales/order/return-authorization.machine';
import { shipmentMachine } from '../src/sales/order/shipment.machine';

/** A row of any machine, regardless of the facts that its guards read. */
export type AnyRow = Row<string, string, never, string, string>;

export interface Machine {
  title: string;
  /** The file that contains the transition table. */
  file: string;
  rows: readonly AnyRow[];
}

/** All machines, in the order in which they occur in the life of an order. */
export const MACHINES: readonly Machine[] = [
  { title: 'Checkout', file: 'src/sales/order/checkout.machine.ts', rows: checkoutMachine.rows },
  { title: 'Checkout restart', file: 'src/sales/order/restart.machine.ts', rows: restartMachine.rows },
  { title: 'Order', file: 'src/sales/order/order.machine.ts', rows: orderMachine.rows },
  {
    title: 'Order with returns',
    file: 'src/sales/order/order-returns.machine.ts',
    rows: orderReturnsMachine.rows,
  },
  { title: 'Payment', file: 'src/sales/order/payment.machine.ts', rows: paymentMachine.rows },
  { title: 'Shipment', file: 'src/sales/order/shipment.machine.ts', rows: shipmentMachine.rows },
  {
    title: 'Inventory unit',
    file: 'src/sales/order/inventory-unit.machine.ts',
    rows: inventoryUnitMachine.rows,
  },
  {
    title: 'Return authorization',
    file: 'src/sales/order/return-authorization.machine.ts',
    rows: returnAuthorizationMachine.rows,
  },
];

export const HOW_TO_READ = `A row applies if its condition "if" is met. If a condition in "requires" is not met, the event is rejected with an error.
An event without a row is rejected too. If a row makes an external call, the state and the effects before the arrow are committed
before the call. If the call fails, the state after "else" applies.`;

export interface Arrow {
  from: string;
  to: string;
  label: string;
}

/** Returns the arrows of a row in the diagram. Rows that change nothing have none and appear only in the table. */
export function arrowsOf(row: AnyRow): Arrow[] {
  if (row.to === sameState && [row.then, row.after, row.calls].every((part) => part === undefined)) return [];
  const label = row.given === undefined ? row.on : `${row.on} (${words(row.given.name)})`;
  return listFromStates(row).flatMap((from) => {
    const to = row.to === sameState ? from : row.to;
    const through = row.through ?? from;
    if (row.calls === undefined || through === from || through === to) return [{ from, to, label }];
    return [
      { from, to: through, label },
      { from: through, to, label: `${row.calls} accepted` },
      { from: through, to: row.refusedTo ?? from, label: `${row.calls} refused` },
    ];
  });
}

export const COLUMNS = ['from', 'event', 'to', 'if', 'requires', 'effects', 'external call'] as const;

/** Returns the cells of a row, one for each of `COLUMNS`. The external call is enclosed in double asterisks. */
export function cellsOf(row: AnyRow): string[] {
  const guards = (row.when ?? []).map((condition) =>
    typeof condition === 'function'
      ? wordsOfGuard(condition.name)
      : `${wordsOfGuard(condition.guard.name)} (else ${condition.orElse.map(words).join(', ')})`,
  );
  return [
    listFromStates(row).join(', '),
    row.on,
    row.to === sameState ? '(same)' : row.to,
    row.given ? words(row.given.name) : '',
    guards.join('; '),
    [...(row.then ?? []), ...(row.calls === undefined ? (row.after ?? []) : [])].map(words).join(', '),
    callOf(row),
  ];
}

function callOf(row: AnyRow): string {
  if (row.calls === undefined) return '';
  const state = row.through ? [`state ${row.through}`] : [];
  const before = [...(row.prepare ?? []).map(words), ...state, ...(row.after ?? []).map(words)];
  const after = [...(row.refusedTo ? [`state ${row.refusedTo}`] : []), ...(row.undo ?? []).map(words)];
  return [
    before.length > 0 ? `${before.join(', ')} → ` : '',
    `**${words(row.calls)}**`,
    after.length > 0 ? `, else ${after.join(', ')}` : '',
  ].join('');
}

/** Converts the name of a guard such as `checkBothAddresses` to what it requires. */
function wordsOfGuard(name: string): string {
  return words(name).replace(/^check /, '');
}

/** Converts identifiers such as `isFree` and `unstock_units` to words. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').replaceAll('_', ' ').toLowerCase();
}
