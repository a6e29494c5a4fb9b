import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface FieldProps extends Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput'> {
  label: string;
  /** What is wrong with the value; shown below it and read with it. */
  error?: string | undefined;
  /** What is wrong in a whole sentence, without the name of the field before it. */
  problem?: string | undefined;
  /** How to fill it in, shown above it. */
  hint?: string | undefined;
  /** Left out for a field that a form reads when it is sent. */
  onText?: (value: string) => void;
}

/** A text field with its label and message. */
export function Field({ label, error, problem, hint, onText, ...input }: FieldProps) {
  const id = useId();
  const message = problem ?? (error === undefined ? undefined : `${label} ${error}`);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <input
        id={id}
        {...input}
        onInput={(event) => onText?.(event.currentTarget.value)}
        {...(message !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
      />
      {message !== undefined && (
        <p id={`${id}-error`} class="field-error">
          {message}
        </p>
      )}
    </div>
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
  useLayoutEffect(() => {
    // The chosen option may have come after the value.
    if (list.current !== null) list.current.value = value;
  }, [value, children]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <select
        ref={list}
        id={id}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
        {...(autocomplete !== undefined && { autocomplete })}
        {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
      >
        {children}
      </select>
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error">
          {label} {error}
        </p>
      )}
    </div>
  );
}
