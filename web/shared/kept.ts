import { useEffect, useState } from 'preact/hooks';

/** A value that the browser keeps, shared by all its tabs. */
export interface Kept<T> {
  get: () => T;
  set: (value: T) => void;
  /** Waits for a value that matches, which another tab may set too, while a component uses the value. */
  until: (matches: (value: T) => boolean) => Promise<T>;
  /** The value for a component. The first rendering shows the initial one, as the page of the server does. */
  use: () => T;
}

/**
 * Declares a kept value. Where nothing can be kept (private windows, a full disk, blocked cookies, the server), it lasts as long as
 * the page. Blocked storage throws whenever it is named, even by `typeof`.
 */
export function keep<T>(key: string, initial: T): Kept<T> {
  const listeners = new Set<() => void>();
  let current: { value: T } | null = null;
  let isStored = true;
  const read = (): T => {
    try {
      const text = localStorage.getItem(key);
      // Only this function writes the key.
      return text === null ? initial : (JSON.parse(text) as T);
    } catch {
      return initial;
    }
  };
  const get = (): T => (current ??= { value: read() }).value;
  const announce = (): void => listeners.forEach((listener) => listener());
  const set = (value: T): void => {
    current = { value };
    try {
      localStorage.setItem(key, JSON.stringify(value));
      isStored = true;
    } catch {
      // It stays in `current`.
      isStored = false;
    }
    announce();
  };
  const until = (matches: (value: T) => boolean): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const value = get();
        if (!matches(value)) return;
        listeners.delete(check);
        resolve(value);
      };
      listeners.add(check);
      check();
    });
  const use = (): T => {
    const [value, setValue] = useState(initial);
    useEffect(() => {
      const show = (): void => setValue(() => get());
      const reread = (): void => {
        current = null;
        announce();
      };
      const readChange = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) reread();
      };
      // The browser does not tell a page about changes while it is left and kept to be returned to.
      const readMissed = (event: PageTransitionEvent): void => {
        if (event.persisted && isStored) reread();
      };
      listeners.add(show);
      addEventListener('storage', readChange);
      addEventListener('pageshow', readMissed);
      show();
      return () => {
        listeners.delete(show);
        removeEventListener('storage', readChange);
        removeEventListener('pageshow', readMissed);
      };
    }, []);
    return value;
  };
  return { get, set, until, use };
}
