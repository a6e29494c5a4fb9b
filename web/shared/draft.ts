import { useState } from 'preact/hooks';

/** What a form holds before it is sent. */
export interface Draft<T> {
  value: T;
  change: (part: Partial<T>) => void;
  /** Forgets it, when it has been sent. */
  clear: () => void;
}

/** Holds the values of a form. The tab keeps them when the page is loaded anew, as phones do with pages that were out of sight. */
export function useDraft<T extends object>(key: string, initial: () => T): Draft<T> {
  const [value, setValue] = useState(() => read<T>(key) ?? initial());
  return {
    value,
    change: (part) =>
      setValue((now) => {
        const next = { ...now, ...part };
        keep(() => sessionStorage.setItem(key, JSON.stringify(next)));
        return next;
      }),
    clear: () => keep(() => sessionStorage.removeItem(key)),
  };
}

/** Forgets all drafts of the tab, and what else it keeps. */
export function forgetTab(): void {
  keep(() => sessionStorage.clear());
}

function read<T>(key: string): T | null {
  try {
    // Only `useDraft` writes the key.
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Does without what cannot be kept: in private windows, with a full disk. */
function keep(change: () => void): void {
  try {
    change();
  } catch {
    // The form holds it as long as the page is open.
  }
}
