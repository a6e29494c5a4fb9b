import { describeError } from '../../shared/messages';

interface DropProps {
  name: string;
  isMultiple?: boolean;
  /** The mutation that sends the files. */
  upload: { mutate: (files: readonly File[]) => void; isPending: boolean; isError: boolean; error: unknown };
}

/** A field that takes pictures by choice or by drop, and sends them at once. */
export function Drop({ name, isMultiple = false, upload }: DropProps) {
  const add = (files: FileList | null | undefined): void => {
    if (files != null && files.length > 0) upload.mutate([...files]);
  };
  return (
    <label
      class="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer?.files);
      }}
    >
      {upload.isPending ? 'Adding…' : name}
      <span class="hint">JPEG, PNG or GIF, up to 10 MB</span>
      <input
        type="file"
        accept="image/jpeg,image/png,image/gif"
        multiple={isMultiple}
        class="visually-hidden"
        disabled={upload.isPending}
        onChange={(event) => {
          add(event.currentTarget.files);
          // So that the same file can be chosen again after an error.
          event.currentTarget.value = '';
        }}
      />
      {upload.isError && (
        <span class="field-error" role="alert">
          {describeError(upload.error)}
        </span>
      )}
    </label>
  );
}
