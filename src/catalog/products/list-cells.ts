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
  return [...new Set(split(cell, '|').map(readName))].filter((part) => part !== '');
}

/** Writes options as `color:navy|size:M`. A backslash escapes `|`, `:`, itself and the spaces around a name. */
export function formatOptions(options: readonly NamedOption[]): string {
  return options.map(({ type, value }) => `${escape(type)}:${escape(value)}`).join('|');
}

/** Parses what `formatOptions` writes; null if it is malformed or names a type twice. */
export function parseOptions(cell: string): NamedOption[] | null {
  const parts = split(cell, '|').filter((part) => part.trim() !== '');
  const options = parts.flatMap((part): NamedOption[] => {
    const [type = '', value = '', ...more] = split(part, ':').map(readName);
    const isValid =
      type !== '' && value !== '' && more.length === 0 && type.length <= 255 && value.length <= 255;
    return isValid ? [{ type, value }] : [];
  });
  const isDistinct = new Set(options.map(({ type }) => type)).size === parts.length;
  return isDistinct ? options : null;
}

function escape(name: string): string {
  return name.replace(/[\\|:]|^\s+|\s+$/gu, (part) => part.replace(/[^]/gu, '\\$&'));
}

/** Returns the name in a part of a cell, without escapes and the spaces around it. */
function readName(part: string): string {
  const tokens = tokenize(part);
  const isText = (token: string) => token.trim() !== '';
  const name = tokens.slice(tokens.findIndex(isText), tokens.findLastIndex(isText) + 1);
  return name.map((token) => token.replace(/^\\(?=[^])/u, '')).join('');
}

/** Splits at a separator that no backslash escapes. */
function split(text: string, separator: '|' | ':'): string[] {
  const parts = [''];
  for (const token of tokenize(text)) {
    if (token === separator) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** Returns the characters of a cell, escaped ones with their backslash. */
function tokenize(text: string): string[] {
  return text.match(/\\[\\|:\s]|[^]/gu) ?? [];
}
