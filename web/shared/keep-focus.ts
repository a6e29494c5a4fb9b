/** The parts of a page that can have the focus in the place of what was in them. */
const PLACES = 'form, article, section, main';

const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled');

/**
 * Keeps the place of the keyboard when the element that has the focus is removed or disabled, as a button is while it works: the nearest
 * part of the page that is left gets the focus, and the element again once it is enabled.
 * @returns the function that ends it
 */
export function keepFocus(root: HTMLElement): () => void {
  /** What had the focus last, and what is around it, from the inside out. */
  let places: Element[] = [];
  let substitute: Element | null = null;
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target === substitute) return;
    substitute = null;
    places = [target];
    for (
      let place = target.parentElement;
      place !== null && root.contains(place);
      place = place.parentElement
    )
      if (place.matches(PLACES)) places.push(place);
  };
  const focus = (element: Element | undefined): void => {
    if (!(element instanceof HTMLElement)) return;
    if (element !== places[0] && !element.hasAttribute('tabindex')) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  const restore = (): void => {
    const [lost, ...around] = places;
    const active = document.activeElement;
    if (lost === undefined) return;
    if (active === null || active === document.body) {
      // Who leaves the focus elsewhere by a click wants it so.
      if (isUsable(lost)) return;
      substitute = around.find((place) => isUsable(place)) ?? null;
      focus(substitute ?? undefined);
    } else if (active === substitute && isUsable(lost)) focus(lost);
  };
  const observer = new MutationObserver(restore);
  root.addEventListener('focusin', note);
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    root.removeEventListener('focusin', note);
    observer.disconnect();
  };
}
