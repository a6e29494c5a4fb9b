import de from './de.json';
import en from './en.json';
import es from './es.json';
import fr from './fr.json';
import it from './it.json';
import ja from './ja.json';
import nl from './nl.json';
import type { Language } from '../../../platform/languages';

export type DocumentLabel = keyof typeof en;
type DocumentLabels = Readonly<Record<DocumentLabel, string>>;

/** The labels of invoices, credit notes, corrections and packing slips, by language. Every language has the keys of `en`. */
export const DOCUMENT_LABELS = { en, de, fr, es, it, nl, ja } satisfies Record<Language, DocumentLabels>;

/** Returns whether documents have such a label. */
export function isDocumentLabel(name: string): name is DocumentLabel {
  return Object.hasOwn(en, name);
}
