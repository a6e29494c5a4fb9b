import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

/** The head of a page. */
export interface Head {
  title: string;
  description?: string | undefined;
  /** The path of the page without what only sorts or narrows it; null for pages that search engines should not list. */
  canonical: string | null;
  /** Facts in JSON-LD (schema.org). */
  facts?: readonly object[];
}

/** Collects the head while the server renders; null in a browser. */
export const HeadContext = createContext<{ head: Head | null } | null>(null);

/** Sets the head of the page in the first HTML, and the title in the browser. */
export function useHead(head: Head): void {
  const collector = useContext(HeadContext);
  if (collector !== null) collector.head = head;
  useEffect(() => {
    document.title = head.title;
  }, [head.title]);
}
