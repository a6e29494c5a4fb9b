import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENTS, generateDocuments } from '../../scripts/documents';
import { api } from '../support/api';

const FOLDER = path.resolve(__dirname, '../../docs');

describe('docs/', () => {
  let documents: Awaited<ReturnType<typeof generateDocuments>>;

  beforeAll(async () => {
    documents = await generateDocuments();
  });

  test.each(DOCUMENTS)('%s is up to date; if not, run `npm run docs`', (name) => {
    // Not compared by a matcher, whose difference would have thousands of lines.
    expect(readFileSync(path.join(FOLDER, name), 'utf8') === documents[name]).toBe(true);
  });

  test('openapi.json is the document that the server publishes', async () => {
    const { body } = await api().get('/openapi.json');
    expect(JSON.stringify(body) === JSON.stringify(JSON.parse(documents['openapi.json']))).toBe(true);
  });
});
