import { useMutation, useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { StoreError } from 'store-api-client';
import { describeError } from '../../shared/messages';

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

/** An action that changes payments or stock: a button, a question with the consequences, and the error if there is one. */
export function Act({ name, question, confirm, act, children, isQuiet = true }: ActProps) {
  const client = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState<string | null>(null);
  const run = useMutation({
    mutationFn: () => act(key ?? crypto.randomUUID()),
    onSuccess: () => setKey(null),
    onError: (error) => {
      // A refused request may be sent again with other values. Without a reply, a retry with the same key returns the
      // first result.
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
  // Closed before the reply, the question could be answered again with another key.
  const stay = (event: Event): void => {
    if (run.isPending) event.preventDefault();
  };
  return (
    <>
      <button
        type="button"
        class={isQuiet ? 'button-quiet' : 'button'}
        disabled={run.isPending}
        onClick={begin}
      >
        {name}
      </button>
      <dialog ref={dialog} class="question" aria-label={name} onCancel={stay} onClose={() => setKey(null)}>
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
                {describeError(run.error)}
              </p>
            )}
            <div class="question-buttons">
              <button
                type="button"
                class="button-quiet"
                disabled={run.isPending}
                onClick={() => setKey(null)}
              >
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
