import type { AnyRow, Machine } from '../docs-content/state-machines';
import { arrowsOf, cellsOf, COLUMNS, HOW_TO_READ, MACHINES } from '../docs-content/state-machines';

/** The content of docs/state-machines.md: a diagram and a table for every machine, printed from the tables themselves. */
export function renderStateMachines(): string {
  return [
    '# State machines',
    '',
    'Printed by `npm run docs` from the transition tables; do not edit.',
    HOW_TO_READ,
    '',
    ...MACHINES.map(section),
  ].join('\n');
}

function section({ title, file, rows }: Machine): string {
  return [
    `## ${title}`,
    '',
    `Source: [${file}](../${file})`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...new Set(rows.flatMap(arrowsOf).map(({ from, to, label }) => `    ${from} --> ${to}: ${label}`)),
    '```',
    '',
    `| ${COLUMNS.join(' | ')} |`,
    `|${'---|'.repeat(COLUMNS.length)}`,
    ...rows.map(tableRow),
    '',
  ].join('\n');
}

function tableRow(row: AnyRow): string {
  return `| ${cellsOf(row).join(' | ')} |`;
}
