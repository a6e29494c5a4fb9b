import type { DocsPage } from '../src/platform/openapi/docs.router';
import { buildErrorsPage } from './errors-page';
import { buildGuidePages } from './guides';
import { buildStateMachinesPage } from './state-machines-page';

let pages: readonly DocsPage[] | undefined;

/** Returns the pages under /docs other than the reference. Builds them once: the tests create hundreds of applications. */
export function getDocsPages(): readonly DocsPage[] {
  pages ??= [
    { name: 'state-machines', title: 'State machines', body: buildStateMachinesPage() },
    { name: 'errors', title: 'Errors', body: buildErrorsPage() },
    ...buildGuidePages(),
  ];
  return pages;
}
