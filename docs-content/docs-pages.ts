import type { DocsPage } from '../src/platform/openapi/docs.router';
import { buildErrorsPage } from './errors-page';
import { buildGuidePages } from './guides';
import { buildStateMachinesPage } from './state-machines-page';

/** Builds the pages under /docs other than the reference. */
export function buildDocsPages(): DocsPage[] {
  return [
    { name: 'state-machines', title: 'State machines', body: buildStateMachinesPage() },
    { name: 'errors', title: 'Errors', body: buildErrorsPage() },
    ...buildGuidePages(),
  ];
}
