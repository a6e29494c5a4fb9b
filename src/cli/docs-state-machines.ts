import { anyState, sameState, type Row } from '../platform/state-machine';
import { checkoutMachine } from '../sales/checkout/checkout.machine';
import { inventoryUnitMachine } from '../sales/inventory-units/inventory-unit.machine';
import { orderMachine } from '../sales/orders/order.machine';
import { paymentMachine } from '../sales/payments/payment.machine';
import { returnAuthorizationMachine } from '../sales/return-authorizations/return-authorization.machine';
import { shipmentMachine } from '../sales/shipments/shipment.machine';

/** A row as the document sees it: which facts its guards read does not matter here. */
type AnyRow = Row<string, string, never, string, string>;

/** The content of docs/state-machines.md: a diagram and a table for every machine, printed from the tables themselves. */
export function renderStateMachines(): string {
  const sections = [
    section('Checkout', 'src/sales/checkout/checkout.machine.ts', checkoutMachine.rows),
    section('Order', 'src/sales/orders/order.machine.ts', orderMachine.rows),
    section('Payment', 'src/sales/payments/payment.machine.ts', paymentMachine.rows),
    section('Shipment', 'src/sales/shipments/shipment.machine.ts', shipmentMachine.rows),
    section(
      'Inventory unit',
      'src/sales/inventory-units/inventory-unit.machine.ts',
      inventoryUnitMachine.rows,
    ),
    section(
      'Return authorization',
      'src/sales/return-authorizations/return-authorization.machine.ts',
      returnAuthorizationMachine.rows,
    ),
  ];
  return [
    '# State machines',
    '',
    'Printed by `npm run docs` from the transition tables; do not edit. A row applies when all of "if" holds; the first of',
    '"requires" that does not hold refuses the event. An event without a row is refused. Where a row calls the outside',
    'world, the state and the effects before the arrow are committed first, and a refusal leads to the state after "else".',
    '',
    ...sections,
  ].join('\n');
}

function section(title: string, file: string, rows: readonly AnyRow[]): string {
  return [
    `## ${title}`,
    '',
    `Source: [${file}](../${file})`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...new Set(rows.flatMap(arrowsOf)),
    '```',
    '',
    '| from | event | to | if | requires | effects | outside call |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(tableRow),
    '',
  ].join('\n');
}

/** Rows that change nothing are left to the table: they would hide the way. */
function arrowsOf(row: AnyRow): string[] {
  if (row.to === sameState && row.then === undefined && row.calls === undefined) return [];
  const event = row.given === undefined ? row.on : `${row.on} (${words(row.given.name)})`;
  return statesOf(row).flatMap((from) => {
    const to = row.to === sameState ? from : row.to;
    const through = row.through ?? from;
    if (row.calls === undefined || through === from || through === to)
      return [`    ${from} --> ${to}: ${event}`];
    return [
      `    ${from} --> ${through}: ${event}`,
      `    ${through} --> ${to}: ${row.calls} accepted`,
      `    ${through} --> ${row.refusedTo ?? from}: ${row.calls} refused`,
    ];
  });
}

function tableRow(row: AnyRow): string {
  const guards = (row.when ?? []).map((condition) =>
    typeof condition === 'function'
      ? words(condition.name)
      : `${words(condition.guard.name)} (else ${condition.orElse.map(words).join(', ')})`,
  );
  return `| ${[
    statesOf(row).join(', '),
    row.on,
    row.to === sameState ? '(same)' : row.to,
    row.given ? words(row.given.name) : '',
    guards.join('; '),
    (row.then ?? []).map(words).join(', '),
    callOf(row),
  ].join(' | ')} |`;
}

function callOf(row: AnyRow): string {
  if (row.calls === undefined) return '';
  const before = [...(row.through ? [`state ${row.through}`] : []), ...(row.prepare ?? []).map(words)];
  const after = [...(row.refusedTo ? [`state ${row.refusedTo}`] : []), ...(row.undo ?? []).map(words)];
  return [
    before.length > 0 ? `${before.join(', ')} → ` : '',
    `**${words(row.calls)}**`,
    after.length > 0 ? `, else ${after.join(', ')}` : '',
  ].join('');
}

function statesOf(row: AnyRow): readonly string[] {
  if (row.from === anyState) return ['any'];
  return typeof row.from === 'string' ? [row.from] : row.from;
}

/** `hasBothAddresses` and `take_stock` as people say them. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').replaceAll('_', ' ').toLowerCase();
}
