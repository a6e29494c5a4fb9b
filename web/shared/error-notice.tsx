import { describeError } from './messages';

interface ErrorNoticeProps {
  /** Null shows nothing. */
  error: unknown;
  /** Instead of the messages of the error. */
  text?: string;
  /** The fields that show their messages themselves, as the API names them. */
  shown?: readonly string[];
}

/** Why something was refused; screen readers say it at once. */
export const ErrorNotice = ({ error, text, shown }: ErrorNoticeProps) =>
  error === null ? null : (
    <p class="notice notice-bad" role="alert">
      {text ?? describeError(error, shown)}
    </p>
  );
