import { useMutation } from '@tanstack/preact-query';
import { describeError } from '../../shared/messages';
import { useMay, type Scope } from '../access';
import { download } from '../office';

interface DownloadProps {
  /** Where the API has the file; null if it is not made yet. */
  path: string | null;
  /** The name of the saved file. */
  file: string;
  /** The text of the button. */
  name: string;
  /** What the file is about, where several buttons have the same name; screen readers say it. */
  of?: string | undefined;
  /** The scope that the file needs; staff without it does not see the button. */
  scope: Scope;
  class: 'link' | 'button-quiet';
}

/** A button that downloads a file of the API, with the error if there is one. */
export function Download({ path, file, name, of, scope, class: style }: DownloadProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => download(path ?? '', file) });
  if (!useMay()(scope)) return null;
  return (
    <>
      <button type="button" class={style} disabled={isPending || path === null} onClick={() => mutate()}>
        {name}
        {of !== undefined && <span class="visually-hidden"> {of}</span>}
      </button>
      {error !== null && (
        <span class="field-error" role="alert">
          {describeError(error)}
        </span>
      )}
    </>
  );
}
