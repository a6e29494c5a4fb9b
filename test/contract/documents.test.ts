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

  test.each(DOCUMENTS)('%s is what the code tells; if not, run `npm run docs`', (name) => {
    // Compared as a whole and not by a matcher: the difference would be thousands of lines.
    expect(readFileSync(path.join(FOLDER, name), 'utf8') === documents[name]).toBe(true);
  });

  test('openapi.json is what the server publishes', async () => {
    const { body } = await api().get('/openapi.json');
    expect(JSON.stringify(body) === JSON.stringify(JSON.parse(documents['openapi.json']))).toBe(true);
  });
});
