/**
 * Reads a PDF on stdin and writes its pages, its embedded files and its metadata to stdout as JSON. A program of its own, because
 * Jest cannot load ES modules.
 */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const data = new Uint8Array(await buffer(process.stdin));
const pdf = await getDocument({ data, verbosity: 0 }).promise;
const pages = [];
for (let number = 1; number <= pdf.numPages; number++) {
  const { items } = await (await pdf.getPage(number)).getTextContent();
  pages.push(items.map((item) => item.str + (item.hasEOL ? '\n' : '')).join(''));
}
const attachments = Object.values((await pdf.getAttachments()) ?? {});
const files = attachments.map(({ filename, content }) => ({
  name: filename,
  text: Buffer.from(content).toString(),
}));
const { metadata } = await pdf.getMetadata();
process.stdout.write(JSON.stringify({ pages, files, metadata: metadata?.getRaw() ?? null }));
await pdf.destroy();
