import { apiRouters } from '../app';
import { apiDocument } from '../platform/openapi/document';
import { storeReference } from '../reference/store-reference';
import { renderStateMachines } from './docs-state-machines';

/** The files of docs/ that are made from the code, by name; a test compares them with what is there. */
export function generatedDocuments(): Record<string, string> {
  const endpoints = apiRouters().flatMap((router) => router.endpoints);
  return {
    'openapi.json': `${JSON.stringify(apiDocument(endpoints, storeReference), null, 1)}\n`,
    'state-machines.md': renderStateMachines(),
  };
}
