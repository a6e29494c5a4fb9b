import { isBlank } from '../../platform/blank';

/** An element of XML: attributes, and text or other elements; those that are null are left out. */
export interface XmlNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: string | readonly (XmlNode | null)[];
}

/** Builds an element. */
export function element(
  name: string,
  attributes: XmlNode['attributes'],
  content: XmlNode['content'],
): XmlNode {
  return { name, attributes, content };
}

/** Writes an element as a document of XML. */
export function writeXml(root: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`;
}

function write({ name, attributes, content }: XmlNode, indent: string): string {
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escape(value)}"`)];
  const open = `${indent}<${head.join(' ')}>`;
  if (typeof content === 'string') return `${open}${escape(content)}</${name}>`;
  const inner = content.flatMap((one) => (one === null ? [] : [write(one, `${indent}  `)]));
  return [open, ...inner, `${indent}</${name}>`].join('\n');
}

/** Escapes text, and removes characters that XML cannot have. */
function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Builds an element of text; null, which is left out, if it is blank. */
export function textElement(name: string, value: string | null | undefined): XmlNode | null {
  return isBlank(value) ? null : element(name, {}, value);
}
