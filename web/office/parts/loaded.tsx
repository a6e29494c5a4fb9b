import type { ComponentChildren } from 'preact';
import { StoreError } from 'store-api-client';
import { Link } from 'wouter-preact';
import { describeError } from '../../shared/messages';

export interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; isError: boolean; refetch: () => unknown };
  children: (data: T) => ComponentChildren;
}

/** Shows what a query has read, or why it could not be read. */
export function Loaded<T>({ query: { data, error, isError, refetch }, children }: LoadedProps<T>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (!isError) return <p role="status">Loading…</p>;
  if (error instanceof StoreError && error.status === 404) return <NotFound />;
  return (
    <div class="notice notice-bad" role="alert">
      <p>{describeError(error)}</p>
      <button type="button" class="button-quiet" onClick={() => void refetch()}>
        Try again
      </button>
    </div>
  );
}

/** What is shown in the place of a page or a record that does not exist. */
export const NotFound = () => (
  <>
    <h1>Not found</h1>
    <p class="notice">
      This does not exist, or has been deleted. <Link href="/">To the dashboard</Link>
    </p>
  </>
);
