import { escapeHtml } from '../../src/platform/escape-html';
import { isRecord, toRecord } from '../../src/platform/parameters';
import { describeType, findSchemaName, type ApiDocument } from './document';
import { renderInline } from './markdown';

/** Nested records below this depth are named by their type only. */
const DEEPEST = 3;

/** Renders the properties of a schema as a list, with nested records folded. Named schemas are links to their record. */
export function renderProperties(document: ApiDocument, schema: unknown, depth = 0): string {
  const { properties, required } = document.resolve(schema);
  const entries = Object.entries(toRecord(properties));
  if (entries.length === 0) return '';
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const rows = entries.map(([name, property]) => {
    const { description = '' } = toRecord(property);
    const text = String(description === '' ? (document.resolve(property)['description'] ?? '') : description);
    // In records, all properties are required: it is worth a word in bodies only.
    const mark = depth === 0 && isRequired(name) && entries.length !== (required as string[]).length;
    return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${renderType(document, property)}</span>${
      mark ? ' <span class="required">required</span>' : ''
    }${text === '' ? '' : `<div class="about">${renderInline(text)}</div>`}${renderNested(document, property, depth)}</li>`;
  });
  return `<ul class="properties">${rows.join('')}</ul>`;
}

/** Renders a type, with links to the records that have a section. */
export function renderType(document: ApiDocument, schema: unknown): string {
  return escapeHtml(describeType(schema)).replace(/(?<!&quot;)\b[A-Z][A-Za-z]+\b/g, (name) => {
    const isShown = isRecord(toRecord(document.schemas[name])['properties']);
    return isShown ? `<a href="/docs/records#${name}">${name}</a>` : name;
  });
}

function renderNested(document: ApiDocument, property: unknown, depth: number): string {
  const { type, items, anyOf } = toRecord(property);
  const inner = type === 'array' || (Array.isArray(type) && type.includes('array')) ? items : property;
  const [chosen] = Array.isArray(anyOf) ? (anyOf as unknown[]) : [inner];
  if (depth >= DEEPEST || findSchemaName(chosen) !== null) return '';
  const list = renderProperties(document, chosen, depth + 1);
  return list === '' ? '' : `<details><summary>properties</summary>${list}</details>`;
}
