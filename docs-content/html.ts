/** Builds a table. The cells are HTML. */
export function buildTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => line(cells, 'td')).join('\n');
  return `<div class="table" tabindex="0"><table><thead>${line(head, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>`;
}
