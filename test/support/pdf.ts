import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** Returns the text of a PDF in the order in which it was written. */
export async function readPdf(file: Buffer): Promise<string> {
  const reader = spawn(process.execPath, [path.join(__dirname, 'read-pdf.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  reader.stdin.end(file);
  return text(reader.stdout);
}
