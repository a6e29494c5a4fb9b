import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

let listener: (text: string) => void = () => undefined;

/** Says what has happened, in a line that stays on its page until the next one, the next question, or until it is closed. */
export const announce = (text: string): void => listener(text);

/** The line that `announce` fills; one for the whole office. */
export function Announcements() {
  const [path] = useLocation();
  const [{ text, page }, set] = useState({ text: '', page: path });
  // An action may have led to another page, which shows the line.
  const setText = (said: string): void => set({ text: said, page: location.pathname });
  useEffect(() => {
    listener = setText;
    return () => {
      listener = () => undefined;
    };
  }, []);
  return (
    <div class="announcement" role="status">
      {text !== '' && page === location.pathname && (
        <p>
          {text}{' '}
          <button type="button" class="link" onClick={() => setText('')}>
            Close
          </button>
        </p>
      )}
    </div>
  );
}
