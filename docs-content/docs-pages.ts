import type { DocsPage } from '../src/platform/openapi/docs.router';
import { stateMachinesPage } from './state-machines-page';

/** The pages beside the reference. */
export function docsPages(): DocsPage[] {
  return [{ name: 'state-machines', title: 'State machines', body: stateMachinesPage() }];
}
