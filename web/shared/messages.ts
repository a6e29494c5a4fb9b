import { StoreError } from 'store-api-client';

/** What a person reads of an error of the API or the network: by field, and the rest in one sentence. */
export interface Messages {
  fields: Readonly<Record<string, string>>;
  summary: string;
}

const OFFLINE = 'The store cannot be reached. Check your connection and try again.';

/** Returns the messages of an error. Fields are named as the API names them; those of an address without its prefix. */
export function readMessages(error: unknown): Messages {
  if (!(error instanceof StoreError)) return { fields: {}, summary: OFFLINE };
  const { base = [], ...rest } = error.errors;
  const fields: Record<string, string> = {};
  for (const [name, messages] of Object.entries(rest)) {
    const text = messages.filter((message) => typeof message === 'string').join(', ');
    if (text !== '') fields[name] = text;
  }
  if (error.status === 503) return { fields, summary: 'The store is busy. Try again in a moment.' };
  if (error.status === 429) return { fields, summary: 'Too many attempts. Try again later.' };
  return { fields, summary: base.length > 0 ? base.join(' ') : error.message };
}
