import { BLANK, INVALID } from '../platform/errors';
import hints from './hints-by-field.json';

/** How to correct an attribute. The patterns default to any text; in `messages`, {BLANK} and {INVALID} are those messages. */
interface FieldHint {
  /** The last part of the name of the attribute. */
  fields?: string;
  /** The whole name, if the last part does not suffice. */
  paths?: string;
  messages?: string;
  hint: string;
  /** Whether only a step of the checkout asks for it. */
  ofTransitions?: boolean;
}

const ANY = '.';

/** In the order in which they apply. */
const HINTS = hints.map(
  ({ fields = ANY, paths = ANY, messages = ANY, hint, ofTransitions = false }: FieldHint) => ({
    fields: new RegExp(fields),
    paths: new RegExp(paths),
    messages: new RegExp(messages.replace('{BLANK}', BLANK).replace('{INVALID}', INVALID)),
    hint,
    ofTransitions,
  }),
);

/**
 * Returns how to correct the first of these errors by field that has a hint; null if none has.
 * @param isTransition whether a step of a record was refused
 */
export function findFieldHint(errors: object | null, isTransition: boolean): string | null {
  for (const [path, messages] of Object.entries(errors ?? {})) {
    const field = path.split('.').at(-1) ?? '';
    const found = HINTS.find(
      ({ fields, paths, messages: about, ofTransitions }) =>
        fields.test(field) &&
        paths.test(path) &&
        (isTransition || !ofTransitions) &&
        Array.isArray(messages) &&
        messages.some((message) => typeof message === 'string' && about.test(message)),
    );
    if (found !== undefined) return found.hint;
  }
  return null;
}
