import { useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createKey, StoreError } from 'store-api-client';
import { describeError, NO_MESSAGES, readMessages } from '../../shared/messages';
import { useMay, type Scope } from '../access';
import { announce } from './announce';
import { Fields, type FieldSpec, type Values } from './fields';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

type Text = string | ((values: Values) => string);

interface ActProps {
  /** The button that opens the question. */
  name: string;
  /** What the button is about, where several have the same name; screen readers say it, and the question begins with it. */
  of?: string | undefined;
  /** What will happen, in words and amounts. */
  question: Text;
  /** The button that does it. */
  confirm: Text;
  /** Sends the request with this key, so that a click sent twice does it once. `opened` are the values that the form began with. */
  act: (key: string, values: Values, opened: Values) => Promise<unknown>;
  /** What has happened, shown afterwards. */
  done: Text;
  /** The scope that the action needs (`*`: all); staff without it does not see the button. Null for what everyone may do. */
  scope: Scope | '*' | null;
  fields?: readonly FieldSpec[];
  /** What the fields contain at first. */
  initial?: Values;
  /** Whether there is something to do with these values. Defaults to yes. */
  isReady?: (values: Values) => boolean;
  /** More of the question, below its text. */
  children?: ComponentChildren | ((values: Values, setValues: (values: Values) => void) => ComponentChildren);
  isQuiet?: boolean;
  isLink?: boolean;
}

const NO_VALUES: Values = {};
const read = (text: Text, values: Values): string => (typeof text === 'string' ? text : text(values));

/** An action: a button, a question with the consequences and fields, and what has happened or why not. */
export function Act(props: ActProps) {
  const { name, of, scope, isQuiet = true, isLink = false } = props;
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  if (scope !== null && !may(scope)) return null;
  return (
    <>
      <button
        type="button"
        class={isLink ? 'link' : isQuiet ? 'button-quiet' : 'button'}
        onClick={() => setOpen(true)}
      >
        {name}
        {of !== undefined && <span class="visually-hidden"> {of}</span>}
      </button>
      {isOpen && <Question {...props} close={() => setOpen(false)} />}
    </>
  );
}

function Question(props: ActProps & { close: () => void }) {
  const { name, of, question, confirm, act, done, fields = [], initial = NO_VALUES, children } = props;
  const title = of === undefined ? name : `${name} ${of}`;
  const client = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState(createKey);
  const [opened] = useState(initial);
  const [values, setValues] = useState(opened);
  // Not removed at once: a dialog that closes gives the focus back to its button.
  const close = (): void => dialog.current?.close();
  /** What the dialog says of a refusal; empty once it is closed. */
  const refusal = useRef('');
  const run = useOnce({
    mutationFn: () => act(key, values, opened),
    onSuccess: () => {
      refusal.current = '';
      announce(read(done, values));
      close();
    },
    onError: (error) => {
      // A refused request may be sent again with other values. Without a reply, a retry with the same key returns the
      // first result.
      if (error instanceof StoreError) setKey(createKey());
      refusal.current = describeError(error);
    },
    // Also after a refusal: the record may have changed meanwhile.
    onSettled: () => client.invalidateQueries(),
  });
  useEffect(() => {
    // What the action before has done.
    announce('');
    dialog.current?.showModal();
    // The record that has changed meanwhile may have no such button any more: then the dialog is removed with what it says.
    return () => {
      if (refusal.current !== '') announce(`Not done. ${refusal.current}`, true);
    };
  }, []);
  useEffect(() => {
    // Where the mistake is.
    dialog.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [run.error]);
  const messages = run.isError ? readMessages(run.error) : NO_MESSAGES;
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-label={title}
      // Closed before the reply, the question could be answered again with another key.
      onCancel={(event) => run.isPending && event.preventDefault()}
      onClose={() => {
        refusal.current = '';
        props.close();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <h2>{title}</h2>
        <p>{read(question, values)}</p>
        <Fields fields={fields} values={values} setValues={setValues} errors={messages.fields} />
        {typeof children === 'function' ? children(values, setValues) : children}
        <ErrorNotice error={run.error} shown={fields.map((field) => field.name)} />
        <div class="question-buttons">
          <button type="button" class="button-quiet" disabled={run.isPending} onClick={close}>
            Not now
          </button>
          <button class="button" disabled={run.isPending || props.isReady?.(values) === false}>
            {run.isPending ? 'Working…' : read(confirm, values)}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Returns the name that tells the buttons of one record from those of the others; undefined if it is the only record. */
export const amongSeveral = (records: readonly unknown[], name: string): string | undefined =>
  records.length > 1 ? name : undefined;

/** The headers of a request that is done once. */
export const once = (key: string) => ({ 'Idempotency-Key': key });

/** The headers of a request that is done once, and only if the record has still this version. */
export const onceAt = (key: string, version: string) => ({ 'Idempotency-Key': key, 'If-Match': version });
