import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/**
 * Describes the first syntax error of a JSON text, with line and column; null if there is none. Repeats nothing of the
 * text.
 */
export function describeJsonError(text: string): string | null {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return null;
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const reason = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `The JSON body has an error at line ${before.length}, column ${column}: ${reason.toLowerCase()}.`;
}
