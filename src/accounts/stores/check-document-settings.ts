import { InvalidResource, INVALID, type FieldErrors } from '../../platform/errors';
import { isDocumentLabel } from './document-labels';
import type { StoreRow } from './stores.definition';

const PREFIXES = ['invoice_prefix', 'credit_note_prefix', 'correction_prefix'] as const;
const MAX_TEXT_LENGTH = 500;

type DocumentSettings = Pick<StoreRow, (typeof PREFIXES)[number] | 'document_texts' | 'issuer_iban'>;

/** Checks the settings of documents of a store. @throws InvalidResource */
export function checkDocumentSettings(store: DocumentSettings): void {
  const errors: FieldErrors = {
    ...findPrefixErrors(store),
    ...findTextErrors(store.document_texts),
    ...(store.issuer_iban !== null && !isIban(store.issuer_iban) && { issuer_iban: [INVALID] }),
  };
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
}

/** Numbers are parts of file names. Two kinds with one prefix would have the same numbers. */
function findPrefixErrors(store: DocumentSettings): FieldErrors {
  const errors: FieldErrors = {};
  for (const name of PREFIXES) {
    if (!/^[A-Za-z0-9._-]*$/.test(store[name])) {
      errors[name] = ['may contain letters, digits, dots, hyphens and underscores only'];
    } else if (PREFIXES.some((other) => other !== name && store[other] === store[name])) {
      errors[name] = ['must differ from the other prefixes'];
    }
  }
  return errors;
}

function findTextErrors(texts: StoreRow['document_texts']): FieldErrors {
  const unknown = Object.keys(texts).find((name) => !isDocumentLabel(name));
  if (unknown !== undefined) return { document_texts: [`unknown label ${JSON.stringify(unknown)}`] };
  const isText = (value: unknown) => typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;
  const invalid = Object.entries(texts).find(([, text]) => !isText(text));
  return invalid === undefined
    ? {}
    : { document_texts: [`${invalid[0]} must be text of up to ${MAX_TEXT_LENGTH} characters`] };
}

/** Numbers of accounts without a country, as in the USA and Japan, have no check digits. */
function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}/.test(iban)) return true;
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}
