/** The languages of documents and mails, which are those that shops write names in; English is the language of the data. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
