const OFFICE = 'Back office';

/**
 * Names the page in the title of the window after its main heading, which comes with the record and may change.
 * @returns the function that ends it
 */
export function keepTitle(page: HTMLElement): () => void {
  const write = (): void => {
    const heading = page.querySelector('h1')?.textContent ?? '';
    document.title = heading === '' ? OFFICE : `${heading} – ${OFFICE}`;
  };
  const observer = new MutationObserver(write);
  observer.observe(page, { subtree: true, childList: true, characterData: true });
  write();
  return () => {
    observer.disconnect();
    document.title = OFFICE;
  };
}
