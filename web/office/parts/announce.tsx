import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

let listener: (text: string, isRefusal: boolean) => void = () => undefined;

/**
 * Says what has happened, or with `isRefusal` why nothing has, in a line that stays on its page until the next one, the next question,
 * or until it is closed.
 */
export const announce = (text: string, isRefusal = false): void => listener(text, isRefusal);

/** The line that `announce` fills; one for the whole office. */
export function Announcements() {
  const [path] = useLocation();
  const [{ text, isRefusal, page }, set] = useState({ text: '', isRefusal: false, page: path });
  // An action may have led to another page, which shows the line.
  const show = (said: string, isBad: boolean): void =>
    set({ text: said, isRefusal: isBad, page: location.pathname });
  useEffect(() => {
    listener = show;
    return () => {
      listener = () => undefined;
    };
  }, []);
  return (
    <div class="announcement" role="status">
      {text !== '' && page === location.pathname && (
        <p class={isRefusal ? 'is-bad' : ''}>
          {text}{' '}
          <button type="button" class="link" onClick={() => show('', false)}>
            Close
          </button>
        </p>
      )}
    </div>
  );
}
