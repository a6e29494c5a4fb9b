import { apiRouters } from '../src/app';
import { apiDocument } from '../src/platform/openapi/document';
import { storeReference } from '../docs-content/store-reference';
import { renderStateMachines } from './docs-state-machines';
import { postmanCollection } from './postman-collection';

/** The files of docs/ that are made from the code. */
export const DOCUMENTS = ['openapi.json', 'state-machines.md', 'store.postman_collection.json'] as const;

/** Their content by name; a test compares it with what is there. */
export async function generatedDocuments(): Promise<Record<(typeof DOCUMENTS)[number], string>> {
  const endpoints = apiRouters().flatMap((router) => router.endpoints);
  const document = apiDocument(endpoints, storeReference);
  return {
    'openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'state-machines.md': renderStateMachines(),
    'store.postman_collection.json': `${JSON.stringify(await postmanCollection(document), null, 1)}\n`,
  };
}
