import { useEffect, useRef } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

const KEY = 'shop.scroll';

function readPositions(): Record<string, number> {
  try {
    // Only this module writes the key.
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** Whether the browser has loaded the page because the visitor went back, or loaded it again. */
const isLoadedAgain = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && (entry.type === 'back_forward' || entry.type === 'reload'));

const INPUTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'];

/**
 * Scrolls to a place, which may not exist until the lists above it have loaded more. The end of a list loads more when it
 * is seen. Ends when the visitor does anything.
 * @returns a function that ends it
 */
function restorePlace(top: number): () => void {
  const observer = new ResizeObserver(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) <= 1) end();
  });
  const end = (): void => {
    observer.disconnect();
    INPUTS.forEach((name) => removeEventListener(name, end));
  };
  INPUTS.forEach((name) => addEventListener(name, end, { passive: true }));
  // Also called at once.
  observer.observe(document.body);
  return end;
}

/** Begins new pages at their top, and returns to where the visitor was when going back. */
export function useScrollPosition(): void {
  const [path] = useLocation();
  const search = useSearch();
  const isGoingBack = useRef<boolean | null>(null);
  const shown = useRef('');
  const address = `${path}?${search}`;
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const goBack = (): void => {
      // Not for a link within the page.
      isGoingBack.current = location.pathname + location.search !== shown.current;
    };
    addEventListener('popstate', goBack);
    return () => removeEventListener('popstate', goBack);
  }, []);
  const previous = useRef(path);
  useEffect(() => {
    shown.current = location.pathname + location.search;
    const isSamePage = previous.current === path;
    previous.current = path;
    const isFirst = isGoingBack.current === null;
    let endRestoring = (): void => undefined;
    if (isGoingBack.current ?? isLoadedAgain()) {
      const top = readPositions()[address] ?? 0;
      if (top > 0) endRestoring = restorePlace(top);
    } else if (!isSamePage && !isFirst) {
      scrollTo(0, 0);
      document.getElementById('content')?.focus({ preventScroll: true });
    }
    isGoingBack.current = false;
    let timer = 0;
    const save = (): void => {
      try {
        sessionStorage.setItem(KEY, JSON.stringify({ ...readPositions(), [address]: Math.round(scrollY) }));
      } catch {
        // Nothing can be kept: going back leads to the top.
      }
    };
    // Not at once: a shorter page that replaces this one scrolls, too.
    const saveSoon = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(save, 100);
    };
    addEventListener('scroll', saveSoon, { passive: true });
    // Before a link is followed.
    addEventListener('click', save, { capture: true });
    return () => {
      endRestoring();
      clearTimeout(timer);
      removeEventListener('scroll', saveSoon);
      removeEventListener('click', save, { capture: true });
    };
  }, [address]);
}
