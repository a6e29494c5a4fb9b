import { useId, useState } from 'preact/hooks';
import { ChoiceField, describe, Field, FieldFrame, toSentence } from '../../shared/field';

/** A value to choose; `value` is what is sent, as text. */
export interface Choice {
  value: string;
  name: string;
}

/** A field of a form by declaration. */
export interface FieldSpec {
  /** As the API names it, so that its messages reach the field. */
  name: string;
  label: string;
  /** `many` chooses any number of choices; `amount` is a decimal number. Defaults to `text`. */
  kind?: 'text' | 'long' | 'whole' | 'amount' | 'email' | 'password' | 'time' | 'check' | 'choice' | 'many';
  /** What can be chosen; may depend on the other values. */
  choices?: readonly Choice[] | ((values: Values) => readonly Choice[]);
  /** What it means to choose nothing. Defaults to `None`. */
  none?: string;
  isRequired?: boolean;
  hint?: string;
  /** The height of a `long` field, in lines. */
  rows?: number;
  /** The most that a `whole` field accepts; the least is 0 then. */
  most?: number;
  /** Whether the field applies to the other values. */
  isShown?: (values: Values) => boolean;
}

/** What a form contains: texts, flags, and the chosen values of `many`. */
export type Values = Readonly<Record<string, string | boolean | readonly string[]>>;

export function textOf(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns the text of a field; null if it is empty. */
export const optional = (values: Values, name: string): string | null => textOf(values, name) || null;

/** Returns a whole number; null for an empty field. The field admits nothing else. */
export const wholeOf = (values: Values, name: string): number | null =>
  textOf(values, name) === '' ? null : Number(textOf(values, name));

/** The address that an account signs in with, or that mails are sent to. */
export const EMAIL_FIELD: FieldSpec = { name: 'email', label: 'E-mail', kind: 'email', isRequired: true };

export const isOn = (values: Values, name: string): boolean => values[name] === true;

export function chosenOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  return typeof value === 'object' ? value : [];
}

/** Returns the chosen ids of a field of the kind `many`. */
export const idsOf = (values: Values, name: string): number[] => chosenOf(values, name).map(Number);

/**
 * Returns the names of the fields that differ from what the form began with. Only these are sent where a record has no version: the
 * others stay as someone else may have changed them meanwhile.
 */
export const listChanged = (values: Values, opened: Values): string[] =>
  Object.keys(values).filter((name) => values[name] !== opened[name]);

/** Returns the present ids of a record with what the form has added to, and removed from, the ids that it began with. */
export function mergeIds(present: readonly number[], values: Values, opened: Values, name: string): number[] {
  const [chosen, before] = [idsOf(values, name), idsOf(opened, name)];
  const stay = present.filter((id) => chosen.includes(id) || !before.includes(id));
  return [...stay, ...chosen.filter((id) => !before.includes(id) && !stay.includes(id))];
}

/** Returns choices of records with a name. */
export const toChoices = (records: readonly { id: number; name: string }[] | undefined): Choice[] =>
  (records ?? []).map(({ id, name }) => ({ value: String(id), name }));

/** The attributes of a field for a decimal number, which the browser does not send with a comma. */
export const DECIMAL_INPUT = {
  inputMode: 'decimal',
  pattern: '[^,]*',
  title: 'Write it with a point, such as 1250.50.',
} as const;

const INPUTS = {
  text: { maxLength: 255 },
  long: {},
  whole: { type: 'number', step: '1' },
  amount: { ...DECIMAL_INPUT, maxLength: 30 },
  email: { type: 'email', maxLength: 255 },
  password: { type: 'password', autocomplete: 'new-password', maxLength: 1000 },
  time: { type: 'datetime-local' },
} as const;

interface FieldsProps {
  fields: readonly FieldSpec[];
  values: Values;
  setValues: (values: Values) => void;
  /** The messages of the API by field. */
  errors?: Readonly<Record<string, string>>;
}

/** The fields of a form, each with its label, hint and message. */
export function Fields({ fields, values, setValues, errors = {} }: FieldsProps) {
  return (
    <>
      {fields
        .filter(({ isShown }) => isShown === undefined || isShown(values))
        .map((field) => (
          <OneField
            key={field.name}
            field={field}
            values={values}
            error={errors[field.name]}
            set={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
    </>
  );
}

interface OneFieldProps {
  field: FieldSpec;
  values: Values;
  error: string | undefined;
  set: (value: string | boolean | readonly string[]) => void;
}

function OneField({ field, values, error, set }: OneFieldProps) {
  const { name, label, kind = 'text', isRequired = false, hint } = field;
  const choices = choicesOf(field, values);
  if (kind === 'check')
    return (
      <div>
        <label class="check">
          <input
            type="checkbox"
            checked={isOn(values, name)}
            onChange={(event) => set(event.currentTarget.checked)}
          />
          {label}
        </label>
        {hint !== undefined && <p class="hint">{hint}</p>}
        {error !== undefined && <p class="field-error">{toSentence(label, error)}</p>}
      </div>
    );
  if (kind === 'many') return <ManyField field={field} values={values} error={error} set={set} />;
  const value = values[name];
  const shared = { label, value: typeof value === 'string' ? value : '', error, hint };
  if (kind === 'choice')
    return (
      <ChoiceField {...shared} onChoose={set}>
        {!isRequired && <option value="">{field.none ?? 'None'}</option>}
        {isRequired && shared.value === '' && <option value="">Choose…</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </ChoiceField>
    );
  if (kind === 'long')
    return <LongField {...shared} {...(field.rows !== undefined && { rows: field.rows })} onText={set} />;
  const range = field.most === undefined ? {} : { min: 0, max: field.most };
  return <Field {...shared} {...INPUTS[kind]} {...range} required={isRequired} onText={set} />;
}

const choicesOf = ({ choices = [] }: FieldSpec, values: Values): readonly Choice[] =>
  typeof choices === 'function' ? choices(values) : choices;

/** How many choices are seen without a search. */
const AT_A_GLANCE = 12;

function ManyField({ field, values, error, set }: OneFieldProps) {
  const { name, label, hint } = field;
  const [search, setSearch] = useState('');
  const choices = choicesOf(field, values);
  const chosen = chosenOf(values, name);
  const found = choices.filter((choice) => choice.name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <fieldset class="many">
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {choices.length > AT_A_GLANCE && (
        <input
          type="search"
          aria-label={`Find in ${label}`}
          placeholder={`Find in ${choices.length}`}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          // Enter would send the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {choices.length > 1 && (
        <p class="many-all">
          {[
            { text: 'All', to: [...new Set([...chosen, ...found.map(({ value }) => value)])] },
            { text: 'None', to: chosen.filter((one) => found.every(({ value }) => value !== one)) },
          ].map(({ text, to }) => (
            <button key={text} type="button" class="link" onClick={() => set(to)}>
              {text}
              <span class="visually-hidden"> of {label}</span>
            </button>
          ))}
          {choices.length > AT_A_GLANCE && <span class="quiet">{chosen.length} chosen</span>}
        </p>
      )}
      <div class="many-choices">
        {found.length === 0 && (
          <span class="quiet">{choices.length === 0 ? 'None to choose' : 'None found'}</span>
        )}
        {found.map((choice) => (
          <label key={choice.value} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={({ currentTarget: { checked } }) =>
                set([...chosen.filter((one) => one !== choice.value), ...(checked ? [choice.value] : [])])
              }
            />
            {choice.name}
          </label>
        ))}
      </div>
      {error !== undefined && <p class="field-error">{toSentence(label, error)}</p>}
    </fieldset>
  );
}

interface LongFieldProps {
  label: string;
  value: string;
  error?: string | undefined;
  hint?: string | undefined;
  rows?: number;
  onText: (text: string) => void;
}

/** A text of several lines, with its label and message. */
export function LongField({ label, value, error, hint, rows = 5, onText }: LongFieldProps) {
  const id = useId();
  const message = error === undefined ? undefined : toSentence(label, error);
  return (
    <FieldFrame id={id} label={label} hint={hint} message={message}>
      <textarea
        id={id}
        rows={rows}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
        {...describe(id, hint, message)}
      />
    </FieldFrame>
  );
}
