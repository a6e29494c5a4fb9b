import { de } from './de';
import { en, type DocumentLabel, type DocumentLabels } from './en';
import { es } from './es';
import { fr } from './fr';
import { it } from './it';
import { ja } from './ja';
import { nl } from './nl';

export type { DocumentLabel, DocumentLabels };

/** The labels of invoices, credit notes, corrections and packing slips, by language. */
export const DOCUMENT_LABELS = { en, de, fr, es, it, nl, ja } satisfies Record<string, DocumentLabels>;

export type DocumentLocale = keyof typeof DOCUMENT_LABELS;

export const DOCUMENT_LOCALES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'ja',
] as const satisfies DocumentLocale[];

/** Returns whether documents have such a label. */
export function isDocumentLabel(name: string): name is DocumentLabel {
  return Object.hasOwn(en, name);
}
