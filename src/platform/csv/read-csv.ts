import { Readable } from 'node:stream';
import { parse, CsvError } from 'csv-parse';
import { isBlank } from '../blank';
import { removeGuard } from './formula-guard';

/** A file that cannot be read as CSV. */
export class MalformedCsv extends Error {
  constructor(
    /** The line of the error, or on which the row with the error begins, starting at 1. */
    readonly line: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** A row of a file: the cells by header name. Missing ones are empty: spreadsheets leave out blank cells at the end. */
export interface CsvRow {
  /** The line on which the row begins; the header is on line 1. */
  line: number;
  /** The header names, lower-cased, also those that occur twice. */
  names: readonly string[];
  cells: Readonly<Record<string, string>>;
  /** The separator of the file. */
  separator: Separator;
  /** Whether the row has text beyond the header, such as after a separator in a cell without quotes. */
  isTooLong: boolean;
}

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

/** The maximum size of a row, in characters. */
const MAX_ROW = 1024 * 1024;

/**
 * Reads CSV in UTF-8, with or without a byte order mark, separated by commas, semicolons or tabs. The first row, the header,
 * is yielded with its own names as cells. Skips rows of which all cells are blank. Takes off the `'` of guarded cells. Memory
 * does not depend on the size of the file. The stream is destroyed when the reader stops early.
 * @throws MalformedCsv
 */
export async function* readCsv(stream: Readable): AsyncGenerator<CsvRow> {
  const texts = decode(stream);
  try {
    const head = await readHead(texts);
    yield* parseRows(head, texts);
  } finally {
    stream.destroy();
  }
}

/** Decodes the bytes. @throws MalformedCsv with the line of the first byte that is not UTF-8 */
async function* decode(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let line = 1;
  let isFirst = true;
  const decodeChunk = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new MalformedCsv(line + countValidLines(chunk), NOT_UTF_8);
    }
  };
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    if (isFirst && SPREADSHEETS.some((start) => bytes.subarray(0, start.length).equals(start)))
      throw new MalformedCsv(1, 'is a spreadsheet; save it as CSV in UTF-8');
    isFirst = false;
    const text = decodeChunk(bytes);
    line += text.split('\n').length - 1;
    yield text;
  }
  yield decodeChunk();
}

/** How the files of spreadsheet programs begin: .xlsx and .ods, .xls. */
const SPREADSHEETS = [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('\xd0\xcf\x11\xe0', 'latin1')];
const NOT_UTF_8 = 'is not valid UTF-8; save the file as UTF-8';
const NEWLINE = 0x0a;

/** Returns the number of lines before the first one that is not UTF-8. A character may have begun in the chunk before. */
function countValidLines(chunk: Buffer = Buffer.alloc(0)): number {
  let start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  for (let lines = 0; start >= 0 && start < chunk.length; lines += 1) {
    const end = chunk.indexOf(NEWLINE, start);
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(start, end === -1 ? undefined : end), {
        stream: end === -1,
      });
    } catch {
      return lines;
    }
    if (end === -1) return 0;
    start = end + 1;
  }
  return 0;
}

/** Reads the text up to the end of the first line that is not blank. */
async function readHead(texts: AsyncGenerator<string>): Promise<string> {
  let head = '';
  for (;;) {
    const next = await texts.next();
    if (next.done === true) return head;
    head += next.value;
    if (head.trimStart().includes('\n')) return head;
    if (head.length > MAX_ROW) throw new MalformedCsv(1, 'the header is too long');
  }
}

/** A first line that spreadsheets write and read, which only names the separator. */
const DECLARATION = /^"?sep=/i;

async function* parseRows(head: string, rest: AsyncGenerator<string>): AsyncGenerator<CsvRow> {
  const [firstLine = ''] = head.replace(/^\s*\n/, '').split('\n', 1);
  const separator = findSeparator(firstLine);
  const firstLines = new WeakMap<readonly string[], number>();
  let nextLine = 1;
  let doubled = 0; // the parser counts CRLF in quotes as two lines
  const parser = parse({
    delimiter: separator,
    from_line: DECLARATION.test(firstLine) ? 2 : 1,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW,
    on_record: (record, { lines }) => {
      const breaks = record.flatMap((cell) => cell.match(/\r\n|\r|\n/g) ?? []);
      doubled += breaks.filter((one) => one === '\r\n').length;
      firstLines.set(record, lines - doubled - breaks.length);
      nextLine = lines - doubled + 1;
      return record;
    },
  });
  const source = Readable.from(prepend(head, rest));
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    let names: string[] | null = null;
    const records: AsyncIterable<string[]> = parser;
    for await (const record of records) {
      names ??= record.map((name) => name.trim().toLowerCase());
      const cells = names.map((name, at): [string, string] => [name, removeGuard(record[at] ?? '')]);
      yield {
        line: firstLines.get(record) ?? 1,
        names,
        separator,
        cells: Object.fromEntries(cells),
        isTooLong: record.slice(names.length).some((cell) => !isBlank(cell)),
      };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new MalformedCsv(nextLine, explain(error.code));
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** Returns the separator that a header has most often; a comma if it has none. */
function findSeparator(header: string): Separator {
  const count = (separator: Separator): number => header.split(separator).length;
  return SEPARATORS.reduce((most, next) => (count(next) > count(most) ? next : most));
}

async function* prepend(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

function explain(code: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed';
  if (code === 'CSV_MAX_RECORD_SIZE') return 'the row is too long';
  return 'is not valid CSV: check the quotes';
}
