import { escapeHtml } from '../src/platform/escape-html';
import { buildTable } from './html';
import { anchorOf } from './site/markdown';
import { arrowsOf, cellsOf, COLUMNS, HOW_TO_READ, MACHINES, type Machine } from './state-machines';

/** Builds the body of /docs/state-machines: an overview and the full transition table of every machine. */
export function buildStateMachinesPage(): string {
  return [
    '<h1>State machines</h1>',
    '<p>The states of orders, payments, shipments and returns, generated from the transition tables in the code. ',
    'Events correspond to paths: <code>PUT /api/v1/orders/…/cancel</code> triggers the event <code>cancel</code>.</p>',
    `<p>${MACHINES.map(({ title }) => `<a href="#${anchorOf(title)}">${title}</a>`).join(' · ')}</p>`,
    ...MACHINES.map(buildSection),
  ].join('\n');
}

function buildSection(machine: Machine): string {
  const { title, rows } = machine;
  return [
    `<h2 id="${anchorOf(title)}">${title}</h2>`,
    buildOverview(machine),
    `<details><summary>Rules</summary><p>${escapeHtml(HOW_TO_READ)}</p>`,
    buildTable(
      COLUMNS,
      rows.map((row) => cellsOf(row).map((cell) => escapeHtml(cell).replace(/\*\*(.+?)\*\*/g, '<b>$1</b>'))),
    ),
    '</details>',
  ].join('\n');
}

/** Lists every state with its events and the states they lead to. */
function buildOverview({ rows }: Machine): string {
  const arrows = rows.flatMap(arrowsOf);
  // Final states come last.
  const states = [...new Set([...arrows.map(({ from }) => from), ...arrows.map(({ to }) => to)])];
  return buildTable(
    ['state', 'event', 'new state'],
    states.flatMap((state) => {
      const transitions = new Map(
        arrows.filter(({ from }) => from === state).map((arrow) => [key(arrow), arrow]),
      );
      if (transitions.size === 0) return [[stateName(state), '', 'final state']];
      return [...transitions.values()].map(({ label, to }, index) => [
        index === 0 ? stateName(state) : '',
        escapeHtml(label),
        stateName(to),
      ]);
    }),
  );
}

const key = ({ label, to }: { label: string; to: string }) => `${label} ${to}`;

const stateName = (state: string) => `<code>${escapeHtml(state)}</code>`;
