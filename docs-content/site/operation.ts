import { escapeHtml } from '../../src/platform/escape-html';
import { isRecord, toRecord } from '../../src/platform/parameters';
import { buildExample, type ApiDocument, type Operation, type Parameter } from './document';
import { renderCode, renderMarkdown } from './markdown';
import { renderProperties, renderType } from './properties-table';
import { renderTryIt } from './try-it';

/** Renders an operation: what it does and takes on the left, examples and the form to try it on the right. */
export function renderOperation(document: ApiDocument, operation: Operation): string {
  const { id, method, path, summary } = operation;
  return `<article class="operation" id="${id}">
<header><h2><a href="#${id}">${escapeHtml(summary)}</a></h2>
<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${renderPath(path)}</code></p></header>
<div class="columns"><div class="explanation">
${renderDescription(operation)}
${renderParameters(document, operation, { title: 'Path parameters', place: 'path' })}
${renderParameters(document, operation, { title: 'Query parameters', place: 'query' })}
${renderBody(document, operation)}
${renderReply(document, operation)}
${renderErrors(operation)}
</div><div class="examples">
${renderTryIt(operation, getBodyExample(operation))}
${renderReplyExample(document, operation)}
</div></div></article>`;
}

/** Paths may break before a slash. */
const renderPath = (path: string): string => escapeHtml(path).replace(/(?!^)\//g, '<wbr>/');

/** The codes have their own section. */
function renderDescription({ description }: Operation): string {
  return renderMarkdown(
    description
      .split('\n\n')
      .filter((part) => !part.startsWith('Errors: '))
      .join('\n\n'),
  );
}

function renderParameters(
  document: ApiDocument,
  { id, parameters }: Operation,
  { title, place }: { title: string; place: string },
): string {
  const rows = parameters.filter((one) => one.in === place).map((one) => renderParameter(document, one));
  return rows.length === 0
    ? ''
    : `<h3 id="${id}-${place}">${title}</h3><ul class="properties">${rows.join('')}</ul>`;
}

function renderParameter(
  document: ApiDocument,
  { name, schema, required, description, in: place }: Parameter,
): string {
  const mark = required && place !== 'path' ? ' <span class="required">required</span>' : '';
  const [first = '', ...rest] = description.split('\n\n');
  const more =
    rest.length === 0
      ? ''
      : `<details><summary>attributes</summary>${renderMarkdown(rest.join('\n\n'))}</details>`;
  return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${renderType(document, schema)}</span>${mark}<div class="about">${renderMarkdown(first)}${more}</div></li>`;
}

function renderBody(document: ApiDocument, { id, body }: Operation): string {
  if (body === null) return '';
  const [type = '', first] = Object.entries(body.content)[0] ?? [];
  const list = renderProperties(document, toRecord(first)['schema']);
  return `<h3 id="${id}-body">Body</h3><p>${body.isRequired ? 'Required' : 'Optional'}, as <code>${escapeHtml(type)}</code>${
    Object.keys(body.content).length > 1 ? ', or as a form' : ''
  }.</p>${list}`;
}

function getBodyExample({ body }: Operation): unknown {
  return toRecord(body?.content['application/json'])['example'];
}

function getReply({ responses }: Operation): [status: string, reply: unknown] {
  return Object.entries(responses).find(([status]) => status.startsWith('2')) ?? ['', {}];
}

function getReplySchema(document: ApiDocument, reply: unknown): unknown {
  return toRecord(toRecord(document.resolve(reply)['content'])['application/json'])['schema'];
}

function renderReply(document: ApiDocument, operation: Operation): string {
  const [status, reply] = getReply(operation);
  const schema = getReplySchema(document, reply);
  const type = schema === undefined ? 'no body' : renderType(document, schema);
  const list = '$ref' in toRecord(schema) ? '' : renderProperties(document, schema);
  return `<h3 id="${operation.id}-response">Response</h3><p><code>${status}</code> <span class="type">${type === 'object' ? '' : type}</span></p>${list}`;
}

function renderErrors({ id, errorCodes }: Operation): string {
  const codes = errorCodes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`);
  return `<h3 id="${id}-errors">Errors</h3><p class="codes">${codes.join(' ')}</p>`;
}

/** The most characters of an example; longer ones scroll anyway. */
const LONGEST = 12_000;

function renderReplyExample(document: ApiDocument, operation: Operation): string {
  const [status, reply] = getReply(operation);
  const schema = getReplySchema(document, reply);
  if (schema === undefined) return '';
  const example = buildExample(document, schema);
  const text = JSON.stringify(isRecord(example) || Array.isArray(example) ? example : {}, null, 2);
  return `<h3>Example of a response <small>${status}</small></h3>${renderCode(text.slice(0, LONGEST), 'json')}`;
}
