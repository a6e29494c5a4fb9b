import { apiRouters } from '../src/routers';
import { buildDocument } from '../src/platform/openapi/document';
import { storeReference } from '../docs-content/store-reference';
import { renderStateMachines } from './docs-state-machines';
import { buildPostmanCollection } from './postman-collection';

/** The files in docs/ that are generated from the code. */
export const DOCUMENTS = ['openapi.json', 'state-machines.md', 'store.postman_collection.json'] as const;

/** Generates the content of these files by name. A test compares it with the committed files. */
export async function generateDocuments(): Promise<Record<(typeof DOCUMENTS)[number], string>> {
  const endpoints = apiRouters().flatMap((router) => router.endpoints);
  const document = buildDocument(endpoints, storeReference);
  return {
    'openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'state-machines.md': renderStateMachines(),
    'store.postman_collection.json': `${JSON.stringify(await buildPostmanCollection(document), null, 1)}\n`,
  };
}
