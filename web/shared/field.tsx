import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface FrameProps {
  id: string;
  label: string;
  hint: string | undefined;
  /** What is wrong with the value, in a whole sentence. */
  message: string | undefined;
  children: ComponentChildren;
}

/** A field with its label above, and its hint and message below, which `describe` connects with it. */
export const FieldFrame = ({ id, label, hint, message, children }: FrameProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    )}
    {message !== undefined && (
      <p id={`${id}-error`} class="field-error">
        {message}
      </p>
    )}
  </div>
);

/** Returns what is wrong with a field in a sentence: its label, without the hint that it may be empty, and the message of the API. */
export const toSentence = (label: string, error: string): string =>
  `${label.replace(' (optional)', '')} ${error}`;

/** Returns the attributes of a field that is read with its hint and its message. */
export function describe(id: string, hint: string | undefined, message: string | undefined) {
  const parts = [hint !== undefined && `${id}-hint`, message !== undefined && `${id}-error`];
  const described = parts.filter((part) => part !== false).join(' ');
  return {
    ...(message !== undefined && { 'aria-invalid': true }),
    ...(described !== '' && { 'aria-describedby': described }),
  };
}

interface FieldProps extends Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput'> {
  label: string;
  /** What is wrong with the value; shown below it and read with it. */
  error?: string | undefined;
  /** What is wrong in a whole sentence, without the name of the field before it. */
  problem?: string | undefined;
  /** How to fill it in, shown below it and read with it. */
  hint?: string | undefined;
  /** Left out for a field that a form reads when it is sent. While a year is typed, a date is one of the first centuries: it is left out. */
  onText?: (value: string) => void;
}

const isHalfTyped = ({ type, value }: HTMLInputElement): boolean =>
  type === 'date' && value !== '' && value < '1000';

/** A text field with its label and message. */
export function Field({ label, error, problem, hint, onText, ...input }: FieldProps) {
  const id = useId();
  const message = problem ?? (error === undefined ? undefined : toSentence(label, error));
  return (
    <FieldFrame id={id} label={label} hint={hint} message={message}>
      <input
        id={id}
        {...input}
        onInput={({ currentTarget }) => {
          if (!isHalfTyped(currentTarget)) onText?.(currentTarget.value);
        }}
        {...describe(id, hint, message)}
      />
    </FieldFrame>
  );
}

interface ChoiceFieldProps {
  label: string;
  value: string;
  error?: string | undefined;
  autocomplete?: string;
  hint?: string | undefined;
  onChoose: (value: string) => void;
  children: ComponentChildren;
}

/** A list to choose one of, with its label and message. */
export function ChoiceField({
  label,
  value,
  error,
  autocomplete,
  hint,
  onChoose,
  children,
}: ChoiceFieldProps) {
  const id = useId();
  const list = useRef<HTMLSelectElement>(null);
  const message = error === undefined ? undefined : toSentence(label, error);
  useLayoutEffect(() => {
    // The chosen option may have come after the value.
    if (list.current !== null) list.current.value = value;
  }, [value, children]);
  return (
    <FieldFrame id={id} label={label} hint={hint} message={message}>
      <select
        ref={list}
        id={id}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
        {...(autocomplete !== undefined && { autocomplete })}
        {...describe(id, hint, message)}
      >
        {children}
      </select>
    </FieldFrame>
  );
}
