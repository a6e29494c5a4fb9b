import { StoreError } from 'store-api-client';

/** What a face refuses itself, where the API has no message that helps. The message says what to do. */
export class OwnRefusal extends Error {}

/** A line of an order of which too few units can be sold. */
export interface Shortage {
  id: number;
  available: number;
}

/** The messages of an error of the API or the network: by field, and the rest in one sentence. */
export interface Messages {
  fields: Readonly<Record<string, string>>;
  summary: string;
  /** The lines that are out of stock, if that is the error. */
  shortages: readonly Shortage[];
}

export const NO_MESSAGES: Messages = { fields: {}, summary: '', shortages: [] };

const OFFLINE = 'The store cannot be reached. Check your connection and try again.';
const INVALID = 'Some values are missing or invalid. Correct them and try again.';

export const CHANGED =
  'Someone else has changed this meanwhile. The page now shows their changes; check them and try again.';

/** Errors whose message of the API does not say what to do. */
const CURES: Readonly<Record<string, string>> = {
  transfer_failed:
    'Nothing was moved: the parcel has fewer units, or the location lacks the stock. Choose fewer units or another location.',
};

/** Reads the lines of a shortage, which `StoreError.errors` leaves out because they are records. */
function readShortages(body: unknown): readonly Shortage[] {
  const errors = isRecord(body) && isRecord(body['errors']) ? body['errors'] : {};
  const lines: unknown = errors['line_items'];
  return Array.isArray(lines) ? lines.filter(isShortage) : [];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isShortage = (value: unknown): value is Shortage =>
  isRecord(value) && typeof value['id'] === 'number' && typeof value['available'] === 'number';

/** Returns the messages of an error. Fields are named as in the API, such as `ship_address.zipcode`. */
export function readMessages(error: unknown): Messages {
  if (error instanceof OwnRefusal) return { ...NO_MESSAGES, summary: error.message };
  if (!(error instanceof StoreError)) return { ...NO_MESSAGES, summary: OFFLINE };
  const { base = [], ...rest } = error.errors;
  const fields: Record<string, string> = {};
  for (const [name, messages] of Object.entries(rest)) {
    if (messages.length > 0) fields[name] = messages.join(', ');
  }
  return { fields, summary: summarize(error, base.join(' '), fields), shortages: readShortages(error.body) };
}

/** Says which rows of a bulk request are wrong; empty for other errors. */
function describeRows(body: unknown): string {
  if (!isRecord(body) || !Array.isArray(body['results'])) return '';
  return body['results']
    .filter(isRecord)
    .filter(({ ok }) => ok === false)
    .map(({ index, errors }) => {
      const messages = isRecord(errors) ? Object.entries(errors) : [];
      const texts = messages.map(([name, texts]) => `${name.replaceAll('_', ' ')} ${String(texts)}`);
      return `Line ${Number(index) + 1}: ${texts.join(', ')}.`;
    })
    .join(' ');
}

function summarize(
  { status, message, body, code }: StoreError,
  base: string,
  fields: Messages['fields'],
): string {
  const rows = describeRows(body);
  if (rows !== '') return `Nothing was changed. ${rows}`;
  if (status === 412) return CHANGED;
  if (status === 503) return 'The store is busy. Try again in a moment.';
  if (status === 429) return 'Too many attempts. Try again later.';
  const cure = CURES[code ?? ''];
  if (cure !== undefined) return cure;
  if (base !== '') return base;
  return Object.keys(fields).length > 0 ? INVALID : message;
}

/** Returns an error in one text, for places without fields, or without the messages that its fields show. */
export function describeError(error: unknown, shown: readonly string[] = []): string {
  const { fields, summary } = readMessages(error);
  const sentences = Object.entries(fields)
    .filter(([name]) => !shown.includes(name))
    .map(([name, text]) => `${capitalize(name.split('.').at(-1) ?? '').replaceAll('_', ' ')} ${text}`)
    // Some messages of the API are sentences.
    .map((sentence) => sentence.replace(/\.?$/, '.'));
  return [...(summary === INVALID && sentences.length > 0 ? [] : [summary]), ...sentences].join(' ');
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
