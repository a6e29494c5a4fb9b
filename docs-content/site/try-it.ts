import { escapeHtml } from '../../src/platform/escape-html';
import { isRecord } from '../../src/platform/parameters';
import type { Operation, Parameter } from './document';

/** Renders the form that sends the operation to this store (assets/site.js). */
export function renderTryIt({ id, method, path, parameters, body }: Operation, example: unknown): string {
  // Conditions are what most readers try.
  const isCondition = ({ name }: Parameter) => Number(name === 'q');
  const fields = parameters
    .filter((one) => one.in === 'path' || one.in === 'query')
    .sort((one, other) => isCondition(other) - isCondition(one))
    .map((one) => renderField(id, one));
  const hasJson = body !== null && 'application/json' in body.content;
  const json = hasJson
    ? `<label for="${id}-try-body">Body</label><textarea id="${id}-try-body" name="body" rows="${countRows(example)}" spellcheck="false">${escapeHtml(formatBody(example))}</textarea>`
    : '';
  const file =
    body === null || hasJson
      ? ''
      : '<p class="note">This operation takes a file: send it with curl or the typed client.</p>';
  return `<form class="try" data-method="${method}" data-path="${escapeHtml(path)}" aria-label="Try it">
<h3>Try it</h3>${fields.length > 4 ? `${fields.slice(0, 3).join('')}<details><summary>${fields.length - 3} more parameters</summary>${fields.slice(3).join('')}</details>` : fields.join('')}${json}${file}
<p class="url"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></p>
<div class="actions"><button type="submit" class="send">Send</button><button type="button" class="curl">Copy as curl</button></div>
<div class="result" role="status"></div></form>`;
}

function renderField(id: string, parameter: Parameter): string {
  const { name, in: place, style, required, schema } = parameter;
  const example = formatExample(parameter.example);
  const field = `${id}-try-${name}`;
  const isFilled = example !== '' && (place === 'path' || required);
  const offer =
    example === '' || isFilled
      ? ''
      : `<button type="button" class="example" data-for="${field}" aria-label="Use the example of ${name}">Example</button>`;
  return `<div class="field"><label for="${field}">${escapeHtml(name)}${required ? ' *' : ''}</label><input id="${field}" name="${escapeHtml(name)}" data-in="${place}" data-style="${style}" data-type="${escapeHtml(schema['type'] === 'array' ? 'array' : '')}" value="${isFilled ? escapeHtml(example) : ''}" placeholder="${escapeHtml(example)}" autocomplete="off" spellcheck="false">${offer}</div>`;
}

/** Objects are written as they stand in a URL, without their name: `name_cont=mug&s=name desc`. */
function formatExample(example: unknown): string {
  if (example === undefined || example === null) return '';
  if (Array.isArray(example)) return example.join(',');
  if (!isRecord(example)) return typeof example === 'string' ? example : JSON.stringify(example);
  return Object.entries(example)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join('&');
}

const formatBody = (example: unknown): string =>
  example === undefined ? '' : JSON.stringify(example, null, 2);

function countRows(example: unknown): number {
  return Math.min(16, Math.max(3, formatBody(example).split('\n').length));
}
