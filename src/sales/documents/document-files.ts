import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Ctx } from '../context';
import { createWorkerTask } from '../../platform/worker-task';
import type { RenderTask } from './document-worker';
import type { DocumentRecord } from './documents.repository';
import { findLogo } from './logos.repository';
import type { PackingSlips } from './packing-slips.repository';

/** Part of the name of the stored files: increase it when the look of documents changes, and they are rendered again. */
const LAYOUT = 5;

/** Renders a document in a thread, because it takes some milliseconds for each page. Stores nothing. */
const renderInThread = createWorkerTask<RenderTask, Uint8Array>(require.resolve('./document-worker'), {
  taskMs: 20_000,
  idleMs: 60_000,
});

/** The documents that are being rendered, by storage key. */
const underway = new Map<string, Promise<Buffer>>();

/**
 * Returns the PDF of a document. It is rendered once and then read from storage, where its name is the hash of what it prints.
 * @throws Unavailable while too many documents wait
 */
export async function getDocumentContent(
  { db, storage, log }: Pick<Ctx, 'db' | 'storage' | 'log'>,
  document: DocumentRecord,
): Promise<Buffer> {
  const key = buildKey(document);
  const stored = await storage.open(key);
  if (stored !== null) return buffer(stored.stream);
  const running = underway.get(key);
  if (running !== undefined) return running;
  const rendering = render(db, document, document.snapshot.seller?.logo);
  underway.set(key, rendering);
  try {
    const content = await rendering;
    await storage.put(key, content).catch((error: unknown) => {
      log.warn({ err: error, document: document.number }, 'document not stored, it will be rendered again');
    });
    return content;
  } finally {
    underway.delete(key);
  }
}

/** Renders packing slips as one PDF. They show the shipments of now, so they are not stored. @throws Unavailable */
export async function renderSlips({ db }: Pick<Ctx, 'db'>, slips: PackingSlips): Promise<Buffer> {
  return render(db, slips, slips.settings.seller?.logo);
}

async function render(
  db: Ctx['db'],
  task: DocumentRecord | PackingSlips,
  logo: string | null | undefined,
): Promise<Buffer> {
  const content = await findLogo(db, logo);
  const { buffer: bytes, byteOffset, byteLength } = await renderInThread({ ...task, logo: content });
  return Buffer.from(bytes, byteOffset, byteLength);
}

/** After a restored backup another document may have the same id and number, but never the same contents. */
function buildKey(document: DocumentRecord): string {
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  return `documents/${hash.slice(0, 2)}/${hash}-${LAYOUT}.pdf`;
}
