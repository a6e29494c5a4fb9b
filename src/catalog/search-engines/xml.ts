const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for XML, without the characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- what XML excludes
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[&<>"']/g,
    (found) => ESCAPED[found] ?? '',
  );
}

/** Builds an element with a text; nothing for null or an empty text. */
export function element(name: string, text: string | null): string {
  return text === null || text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`;
}
