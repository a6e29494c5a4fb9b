import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** The parser calls itself for each level. */
const MOST_LEVELS = 500;

/**
 * Describes the first syntax error of a JSON text, with line and column; null if there is none, or if the text is
 * nested too deeply to find it. Repeats nothing of the text.
 */
export function describeJsonError(text: string): string | null {
  if (countLevels(text) > MOST_LEVELS) return null;
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return null;
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const reason = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `The JSON body has an error at line ${before.length}, column ${column}: ${reason.toLowerCase()}.`;
}

/** Counts the levels of a text at most; brackets inside strings count too. */
function countLevels(text: string): number {
  let level = 0;
  let most = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    level += bracket === '[' || bracket === '{' ? 1 : -1;
    most = Math.max(most, level);
  }
  return most;
}
