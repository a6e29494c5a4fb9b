import { useQueryClient } from '@tanstack/preact-query';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeError } from '../../shared/messages';
import { useOnce } from '../../shared/use-once';

interface CellFormProps {
  /** The stored value. The form needs a new `key` when it changes. */
  value: string;
  /** What is saved, such as `Price of KC-MUG`. */
  name: string;
  /** Attributes of the field. */
  input: JSX.InputHTMLAttributes<HTMLInputElement>;
  save: (value: string) => Promise<unknown>;
  /** The key of the replies that are read again. */
  stale: readonly string[];
}

/** The cell of a table that saves one value. */
export function CellForm({ value, name, input, save, stale }: CellFormProps) {
  const client = useQueryClient();
  const [text, setText] = useState(value);
  const { mutate, isPending, error } = useOnce({
    mutationFn: () => save(text),
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
