import { useQueryClient } from '@tanstack/preact-query';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { describeError, OwnRefusal } from '../../shared/messages';
import { useOnce } from '../../shared/use-once';
import type { Versioned } from './requests';

interface CellFormProps {
  /** The stored value. The form needs a new `key` when it changes. */
  value: string;
  /** What is saved, such as `Price of KC-MUG`. */
  name: string;
  /** Attributes of the field. */
  input: JSX.InputHTMLAttributes<HTMLInputElement>;
  /** Reads the stored value. */
  read: () => Promise<Versioned<string>>;
  /** Saves a value in the place of a version. @returns the stored value */
  save: (value: string, version: string) => Promise<string>;
  /** What else changes the value, for the message that it has changed. */
  cause: string;
  /** The key of the replies that are read again. */
  stale: readonly string[];
}

/** The cell of a table that saves one value, in the place of one that staff has seen: others change it while the page is open. */
export function CellForm({ value, name, input, read, save, cause, stale }: CellFormProps) {
  const client = useQueryClient();
  const [text, setText] = useState(value);
  const seen = useRef(value);
  const { mutate, isPending, error } = useOnce({
    mutationFn: async () => {
      const { record: now, version } = await read();
      if (now !== seen.current) {
        seen.current = now;
        throw new OwnRefusal(`It is ${now} now: ${cause} meanwhile. Check the number and save it again.`);
      }
      // The page is read again later than the next value may be typed.
      seen.current = await save(text, version);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: stale }),
  });
  return (
    <>
      <form
        class="cell-form"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <input
          {...input}
          aria-label={name}
          required
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button class="button-quiet" disabled={isPending || text === value}>
          Save<span class="visually-hidden"> {name}</span>
        </button>
      </form>
      {error !== null && (
        <p class="field-error" role="alert">
          {describeError(error)}
        </p>
      )}
    </>
  );
}
