import { describeError } from './messages';

interface ErrorNoticeProps {
  /** Null shows nothing. */
  error: unknown;
  /** Instead of the messages of the error, such as where its fields show them. */
  text?: string;
}

/** Why something was refused; screen readers say it at once. */
export const ErrorNotice = ({ error, text }: ErrorNoticeProps) =>
  error === null ? null : (
    <p class="notice notice-bad" role="alert">
      {text ?? describeError(error)}
    </p>
  );
