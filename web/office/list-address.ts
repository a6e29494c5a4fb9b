import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

const PAUSE_MS = 250;

/** What a list shows: its search, its page and its filters, which are in the address and so can be a bookmark. */
export interface ListAddress {
  search: string;
  page: number;
  /** All of the address except search and page, to tell lists apart. */
  filters: string;
  /** Returns a filter of the address; null if it has none. */
  filter: (name: string) => string | null;
  /** The text of the search field, which is ahead of `search` during typing. */
  text: string;
  setText: (text: string) => void;
  /** Changes the address; null removes a part. Any change but that of the page begins at the first page. */
  show: (changed: Readonly<Record<string, string | null>>) => void;
}

/** Reads the address of a list, and searches after a pause in typing. */
export function useListAddress(path: string): ListAddress {
  const [, go] = useLocation();
  const query = useSearch();
  const params = new URLSearchParams(query);
  const search = params.get('search') ?? '';
  const [text, setText] = useState(search);
  // A search that comes from a link or from Back replaces the text of the field; one that was typed does not.
  const written = useRef(search);
  useEffect(() => {
    if (search !== written.current) setText(search);
    written.current = search;
  }, [search]);
  const show = (changed: Readonly<Record<string, string | null>>): void => {
    const next = new URLSearchParams(params);
    next.delete('page');
    for (const [name, value] of Object.entries(changed)) {
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    }
    // One entry of the history for a search, not one for each pause.
    go(`${path}?${next.toString()}`, { replace: changed['search'] !== undefined });
  };
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === search) return undefined;
    const timer = setTimeout(() => {
      written.current = wanted;
      show({ search: wanted });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, query]);
  const page = Math.max(1, Math.trunc(Number(params.get('page')))) || 1;
  const rest = new URLSearchParams(params);
  rest.delete('search');
  rest.delete('page');
  const filter = (name: string): string | null => params.get(name);
  return { search, page, filters: rest.toString(), filter, text, setText, show };
}
