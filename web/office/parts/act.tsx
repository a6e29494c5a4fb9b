import { useMutation, useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { StoreError } from 'store-api-client';
import { readMessages } from '../../shared/messages';

interface ActProps {
  /** The button that opens the question. */
  name: string;
  /** What will happen, in words and amounts. */
  question: string;
  /** The button that does it. */
  confirm: string;
  /** Sends the request with this key, so that a click sent twice does it once. */
  act: (key: string) => Promise<unknown>;
  /** Fields of the question. */
  children?: ComponentChildren;
  isQuiet?: boolean;
}

/** An action that moves money or goods: asks once, says what will happen, and shows what was refused. */
export function Act({ name, question, confirm, act, children, isQuiet = true }: ActProps) {
  const client = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState<string | null>(null);
  const run = useMutation({
    mutationFn: () => act(key ?? crypto.randomUUID()),
    onSuccess: () => setKey(null),
    onError: (error) => {
      // A refused request may be sent again with other values. One without an answer keeps its key, which finds out.
      if (error instanceof StoreError) setKey(crypto.randomUUID());
    },
    // Also after a refusal: the record may have changed meanwhile.
    onSettled: () => client.invalidateQueries(),
  });
  useEffect(() => {
    if (key === null) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [key]);
  const begin = (): void => {
    run.reset();
    setKey(crypto.randomUUID());
  };
  return (
    <>
      <button type="button" class={isQuiet ? 'button-quiet' : 'button'} onClick={begin}>
        {name}
      </button>
      <dialog ref={dialog} class="question" aria-label={name} onClose={() => setKey(null)}>
        {key !== null && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              run.mutate();
            }}
          >
            <h2>{name}</h2>
            <p>{question}</p>
            {children}
            {run.isError && (
              <p class="notice notice-bad" role="alert">
                {describe(run.error)}
              </p>
            )}
            <div class="question-buttons">
              <button type="button" class="button-quiet" onClick={() => setKey(null)}>
                Not now
              </button>
              <button class="button" disabled={run.isPending}>
                {run.isPending ? 'Working…' : confirm}
              </button>
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}

/** Says everything that an error says. */
export function describe(error: unknown): string {
  const { fields, summary } = readMessages(error);
  return [
    summary,
    ...Object.entries(fields).map(([name, text]) => `${name.replaceAll('_', ' ')} ${text}`),
  ].join(' ');
}
