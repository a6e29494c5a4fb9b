import { useEffect, useState } from 'preact/hooks';

let listener: (text: string) => void = () => undefined;

/** Says what has happened, in a line that stays until the next one or until it is closed. */
export const announce = (text: string): void => listener(text);

/** The line that `announce` fills; one for the whole office. */
export function Announcements() {
  const [text, setText] = useState('');
  useEffect(() => {
    listener = setText;
    return () => {
      listener = () => undefined;
    };
  }, []);
  return (
    <div class="announcement" role="status">
      {text !== '' && (
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
