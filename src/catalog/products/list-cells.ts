/** A named option of a variant. */
export interface NamedOption {
  type: string;
  value: string;
}

/** Writes taxons as permalinks, separated by `|`. */
export function formatTaxons(permalinks: readonly string[]): string {
  return permalinks.map(escape).join('|');
}

/** Parses what `formatTaxons` writes. */
export function parseTaxons(cell: string): string[] {
  return [...new Set(split(cell, '|').map((part) => unescape(part.trim())))].filter((part) => part !== '');
}

/** Writes options as `color:navy|size:M`. A backslash escapes `|`, `:` and itself in names. */
export function formatOptions(options: readonly NamedOption[]): string {
  return options.map(({ type, value }) => `${escape(type)}:${escape(value)}`).join('|');
}

/** Parses what `formatOptions` writes; null if it is malformed or names a type twice. */
export function parseOptions(cell: string): NamedOption[] | null {
  const parts = split(cell, '|').filter((part) => part.trim() !== '');
  const options = parts.flatMap((part): NamedOption[] => {
    const [type = '', value = '', ...more] = split(part, ':').map((name) => unescape(name.trim()));
    const isValid =
      type !== '' && value !== '' && more.length === 0 && type.length <= 255 && value.length <= 255;
    return isValid ? [{ type, value }] : [];
  });
  const isDistinct = new Set(options.map(({ type }) => type)).size === parts.length;
  return isDistinct ? options : null;
}

function escape(name: string): string {
  return name.replace(/[\\|:]/g, '\\$&');
}

function unescape(text: string): string {
  return text.replace(/\\([\\|:])/g, '$1');
}

/** Splits at a separator that no backslash escapes. */
function split(text: string, separator: '|' | ':'): string[] {
  const parts = [''];
  for (const [token] of text.matchAll(/\\[\\|:]|[^]/gu)) {
    if (token === separator) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
