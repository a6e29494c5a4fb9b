import { arrowsOf, cellsOf, COLUMNS, HOW_TO_READ, MACHINES, type Machine } from './state-machines';

/** The body of /docs/state-machines: for every machine where each event leads at a glance, and the rules. */
export function stateMachinesPage(): string {
  return [
    '<h1>State machines</h1>',
    '<p>How orders, payments, shipments and returns move, printed from the tables that decide it. ',
    'The verbs are those of the paths: <code>PUT /api/v1/orders/…/cancel</code> is the event <code>cancel</code>.</p>',
    `<p>${MACHINES.map(({ title }) => `<a href="#${anchorOf(title)}">${title}</a>`).join(' · ')}</p>`,
    ...MACHINES.map(section),
  ].join('\n');
}

function section(machine: Machine): string {
  const { title, rows } = machine;
  return [
    `<h2 id="${anchorOf(title)}">${title}</h2>`,
    overview(machine),
    `<details><summary>The rules</summary><p>${escaped(HOW_TO_READ)}</p>`,
    table(
      COLUMNS,
      rows.map((row) => cellsOf(row).map((cell) => escaped(cell).replace(/\*\*(.+?)\*\*/g, '<b>$1</b>'))),
    ),
    '</details>',
  ].join('\n');
}

/** A line for each state, and where its events lead. */
function overview({ rows }: Machine): string {
  const arrows = rows.flatMap(arrowsOf);
  // Where nothing leads further comes last.
  const states = [...new Set([...arrows.map(({ from }) => from), ...arrows.map(({ to }) => to)])];
  return table(
    ['state', 'event', 'leads to'],
    states.flatMap((state) => {
      const ways = new Map(arrows.filter(({ from }) => from === state).map((arrow) => [key(arrow), arrow]));
      if (ways.size === 0) return [[stateName(state), '', 'the end']];
      return [...ways.values()].map(({ label, to }, index) => [
        index === 0 ? stateName(state) : '',
        escaped(label),
        stateName(to),
      ]);
    }),
  );
}

const key = ({ label, to }: { label: string; to: string }) => `${label} ${to}`;

const stateName = (state: string) => `<code>${escaped(state)}</code>`;

/** Cells are HTML. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => line(cells, 'td')).join('\n');
  return `<div class="table" tabindex="0"><table><thead>${line(head, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>`;
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
