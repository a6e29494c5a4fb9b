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

/** Begins new pages at their top, and returns to where the visitor was when going back. */
export function useScrollPosition(): void {
  const [path] = useLocation();
  const search = useSearch();
  const isGoingBack = useRef(true);
  const address = `${path}?${search}`;
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const goBack = (): void => {
      isGoingBack.current = true;
    };
    addEventListener('popstate', goBack);
    return () => removeEventListener('popstate', goBack);
  }, []);
  const previous = useRef(path);
  useEffect(() => {
    const isSamePage = previous.current === path;
    previous.current = path;
    if (isGoingBack.current) {
      const top = readPositions()[address] ?? 0;
      // After the content that was kept is there again.
      if (top > 0) requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, top)));
    } else if (!isSamePage) {
      scrollTo(0, 0);
      document.getElementById('content')?.focus({ preventScroll: true });
    }
    isGoingBack.current = false;
    let timer = 0;
    const save = (): void => {
      sessionStorage.setItem(KEY, JSON.stringify({ ...readPositions(), [address]: Math.round(scrollY) }));
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
      clearTimeout(timer);
      removeEventListener('scroll', saveSoon);
      removeEventListener('click', save, { capture: true });
    };
  }, [address]);
}
