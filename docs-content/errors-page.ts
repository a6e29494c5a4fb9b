import { ERROR_CODES } from '../src/errors/error-codes';
import { buildTable } from './html';
import { renderInline } from './site/markdown';

/** Builds the body of /docs/errors: every value of X-Error-Code with its status, cause and solution. */
export function buildErrorsPage(): string {
  return [
    '<h1>Errors</h1>',
    '<p>The body of an error has a message in <code>error</code> and, if attributes are invalid, messages by attribute in ',
    '<code>errors</code>. The header <code>X-Error-Code</code> has a code that does not change between versions; ',
    '<code>X-Error-Hint</code> has a sentence on how to correct the request, if there is one. ',
    'New codes may be added: treat an unknown code like its status.</p>',
    buildTable(
      ['code', 'status', 'cause', 'solution'],
      Object.entries(ERROR_CODES).map(([code, { status, cause, cure }]) => [
        `<code id="${code}">${code}</code>`,
        String(status),
        renderInline(cause),
        renderInline(cure),
      ]),
    ),
  ].join('\n');
}
