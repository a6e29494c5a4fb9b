import { paths, records, sentences } from './path-hints.json';

const SENTENCES: Readonly<Record<string, string>> = sentences;

/** Where to find what other shops have at a path, by the words of the path; '' is the API itself. */
export const OTHER_PATHS = explain(paths);

/** What a word means in other shops in the place of an id, by the first word of the path. */
export const OTHER_RECORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.entries(records).map(([name, words]) => [name, explain(words)]),
);

/** Turns the words of each sentence into the sentence of each word. */
function explain(wordsOf: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(wordsOf).flatMap(([name, words]) => {
      const sentence = SENTENCES[name];
      if (sentence === undefined) throw new Error(`there is no sentence ${name}`);
      return words.map((word) => [word, sentence]);
    }),
  );
}
