/** Answers each PDF it gets with its pages, its embedded files and its metadata. A thread of its own, because Jest cannot load ES modules. */
import { Buffer } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

parentPort.on('message', async ({ data, port }) => port.postMessage(await readContents(data)));

async function readContents(data) {
  const pdf = await getDocument({ data, verbosity: 0 }).promise;
  const pages = [];
  const places = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => item.str + (item.hasEOL ? '\n' : '')).join(''));
    places.push(
      items.map(({ str, width, transform: [, , , , left, y] }) => ({
        text: str,
        left,
        right: left + width,
        y,
      })),
    );
  }
  const attachments = Object.values((await pdf.getAttachments()) ?? {});
  const files = attachments.map(({ filename, content }) => ({
    name: filename,
    text: Buffer.from(content).toString(),
  }));
  const { metadata } = await pdf.getMetadata();
  await pdf.destroy();
  return { pages, places, files, metadata: metadata?.getRaw() ?? null };
}
