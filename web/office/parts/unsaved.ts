import { useEffect } from 'preact/hooks';
import type { RouterOptions } from 'wouter-preact';

/** The forms with texts that are not saved; each adds an object of its own. */
const unsaved = new Set<object>();

const mayLeave = (): boolean =>
  unsaved.size === 0 || confirm('What you have typed is not saved. Leave the page without saving it?');

/** The part of the browser's Navigation API that stops Back and Forward. Not all browsers have it. */
interface NavigateEvent extends Event {
  navigationType: string;
}
const { navigation } = window as { navigation?: EventTarget };

/** Asks before the page of a form is left while its texts are not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    const stop = (event: Event): void => event.preventDefault();
    const ask = (event: Event): void => {
      const isBack = (event as NavigateEvent).navigationType === 'traverse';
      if (isBack && event.cancelable && !mayLeave()) event.preventDefault();
    };
    unsaved.add(form);
    addEventListener('beforeunload', stop);
    navigation?.addEventListener('navigate', ask);
    return () => {
      unsaved.delete(form);
      removeEventListener('beforeunload', stop);
      navigation?.removeEventListener('navigate', ask);
    };
  }, [isUnsaved]);
}

/** Opens a page of the office at its top, unless staff stays with the texts that are not saved. */
export const askAndOpen: NonNullable<RouterOptions['aroundNav']> = (open, path, options) => {
  if (!mayLeave()) return;
  const before = location.pathname;
  open(path, options);
  if (location.pathname !== before) scrollTo(0, 0);
};
