import { ERROR_CODES } from '../../src/errors/error-codes';
import { toRecord } from '../../src/platform/parameters';
import type { Guide } from '../guides';
import { arrowsOf, MACHINES } from '../state-machines';
import type { ApiDocument, Operation } from './document';
import { anchorOf } from './markdown';
import { urlOfTag } from './navigation';

/** What the search of the pages finds (assets/site.js). */
export interface SearchEntry {
  title: string;
  /** Where it is: a method and path, or the kind of the page. */
  about: string;
  url: string;
  /** Further words. */
  words: string;
}

/** Lists the entries of all pages. */
export function listSearchEntries(document: ApiDocument, guides: readonly Guide[]): SearchEntry[] {
  return [
    ...document.operations.map((operation) => describeOperation(document, operation)),
    ...guides.flatMap(describeGuide),
    ...Object.entries(ERROR_CODES).map(([code, { status, cause }]) => ({
      title: code,
      about: `Error code, ${status}`,
      url: `/docs/errors#${code}`,
      words: cause,
    })),
    ...MACHINES.map(({ title, rows }) => ({
      title,
      about: 'State machine',
      url: `/docs/state-machines#${anchorOf(title)}`,
      words: [...new Set(rows.flatMap(arrowsOf).flatMap(({ from, to, label }) => [from, to, label]))].join(
        ' ',
      ),
    })),
    ...Object.entries(document.schemas).map(([name, schema]) => ({
      title: name,
      about: 'Record',
      url: `/docs/records#${name}`,
      words: listNames(schema).join(' '),
    })),
  ];
}

function describeOperation(document: ApiDocument, operation: Operation): SearchEntry {
  const { id, tag, method, path, summary, parameters, body } = operation;
  const schemas = Object.values(body?.content ?? {}).map((content) =>
    document.resolve(toRecord(content)['schema']),
  );
  const words = [...parameters.map(({ name }) => name), ...schemas.flatMap((schema) => listNames(schema))];
  return {
    title: summary,
    about: `${method.toUpperCase()} ${path}`,
    url: `${urlOfTag(tag)}#${id}`,
    words: [...new Set(words)].join(' '),
  };
}

/** Returns the names of the properties of a schema and of its nested ones. */
function listNames(schema: unknown): string[] {
  const { properties, items } = toRecord(schema);
  const inside = Object.entries(toRecord(properties)).flatMap(([name, value]) => [name, ...listNames(value)]);
  return [...inside, ...(items === undefined ? [] : listNames(items))];
}

function describeGuide({ name, title, summary, text }: Guide): SearchEntry[] {
  const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
  return [{ title, about: 'Guide', url: `/docs/guides/${name}`, words: `${summary} ${bold.join(' ')}` }];
}
