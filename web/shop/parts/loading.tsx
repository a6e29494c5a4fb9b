export const Loading = () => (
  <p class="loading" role="status">
    Loading…
  </p>
);

/** The error of a request, with a button that repeats it. */
export const Failure = ({
  retry,
  text = 'This could not be loaded.',
}: {
  retry: () => unknown;
  text?: string;
}) => (
  <div class="notice notice-bad" role="alert">
    <p>{text}</p>
    <button type="button" class="button-quiet" onClick={() => void retry()}>
      Try again
    </button>
  </div>
);
