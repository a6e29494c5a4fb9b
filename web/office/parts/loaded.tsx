import type { ComponentChildren } from 'preact';
import { describeError } from '../../shared/messages';

export interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; isError: boolean; refetch: () => unknown };
  children: (data: T) => ComponentChildren;
}

/** Shows what a query has read, or why it could not be read. */
export function Loaded<T>({ query: { data, error, isError, refetch }, children }: LoadedProps<T>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (!isError) return <p role="status">Loading…</p>;
  return (
    <div class="notice notice-bad" role="alert">
      <p>{describeError(error)}</p>
      <button type="button" class="button-quiet" onClick={() => void refetch()}>
        Try again
      </button>
    </div>
  );
}
