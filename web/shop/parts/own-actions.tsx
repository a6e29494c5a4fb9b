import { useMutation } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { describeError } from '../../shared/messages';

interface OwnActionsProps {
  /** What the buttons are about, for screen readers. */
  of: string;
  isDefault: boolean;
  /** What it is the default for; null for nothing. */
  note: string | null;
  remove: () => Promise<unknown>;
  makeDefault: () => Promise<unknown>;
  refetch: () => unknown;
  /** Buttons before the others. */
  children?: ComponentChildren;
}

/** The buttons of a saved address or card, with the error if there is one. */
export function OwnActions({ of, isDefault, note, remove, makeDefault, refetch, children }: OwnActionsProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: refetch,
  });
  return (
    <>
      <p class="box-actions">
        {children}
        <button type="button" class="link" disabled={isPending} onClick={() => mutate(remove)}>
          Remove<span class="visually-hidden"> {of}</span>
        </button>
        {note !== null && <span class="box-note">{note}</span>}
        {!isDefault && (
          <button type="button" class="link" disabled={isPending} onClick={() => mutate(makeDefault)}>
            Make default<span class="visually-hidden">: {of}</span>
          </button>
        )}
      </p>
      {error !== null && (
        <p class="field-error" role="alert">
          {describeError(error)}
        </p>
      )}
    </>
  );
}
