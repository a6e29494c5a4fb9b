/** A value of an option type, such as red. */
export interface OptionValueLine {
  /** The name for searches, such as `navy`. */
  name: string;
  /** What shoppers see, such as `Navy blue`. */
  presentation: string;
}

/** A stored value. */
export interface StoredOptionValue extends OptionValueLine {
  id: number;
}

/** Writes values as lines of `name: what shoppers see`, or of the name alone where both are the same. */
export const writeOptionLines = (values: readonly OptionValueLine[]): string =>
  values
    .map((value) => [joinSpaces(value.name), joinSpaces(value.presentation)])
    .map(([name, presentation]) => (name === presentation ? name : `${name}: ${presentation}`))
    .join('\n');

/**
 * Reads such lines as the changes of an option type. A value keeps its id by its name; what has no line any more is
 * deleted, and the lines are the order.
 */
export function readOptionLines(text: string, stored: readonly StoredOptionValue[]) {
  const lines = text
    .split('\n')
    .map(joinSpaces)
    .filter((line) => line !== '')
    .map((line) => readStoredLine(line, stored) ?? readNewLine(line));
  const kept = new Set(lines.map(({ id }) => id));
  return [
    ...stored.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ id, _destroy: true })),
    ...lines.map((line, index) => ({ ...line, position: index + 1 })),
  ];
}

type ReadLine = OptionValueLine & { id?: number };

/** Returns the value whose name begins the line, with what shoppers see: names may contain colons, such as 16:9. */
function readStoredLine(line: string, stored: readonly StoredOptionValue[]): ReadLine | null {
  const [found] = stored
    .map((value) => ({ value, length: joinSpaces(value.name).length }))
    .filter(
      ({ value, length }) => line.startsWith(joinSpaces(value.name)) && /^ ?(:|$)/u.test(line.slice(length)),
    )
    .sort((one, other) => other.length - one.length);
  if (found === undefined) return null;
  const { id, name, presentation } = found.value;
  const shown = line.slice(found.length).replace(/^ ?:? ?/u, '');
  return { id, name, presentation: shown === joinSpaces(presentation) ? presentation : shown || name };
}

function readNewLine(line: string): ReadLine {
  const [name = '', ...rest] = line.split(':');
  return { name: name.trim(), presentation: rest.join(':').trim() || name.trim() };
}

/** Returns the text on one line, without spaces around it: a line of the form cannot contain others. */
const joinSpaces = (text: string): string => text.replace(/\s+/gu, ' ').trim();
