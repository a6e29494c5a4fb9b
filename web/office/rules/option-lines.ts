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

/** Writes values as lines of `name: what shoppers see`, or of one word where both are the same. */
export const writeOptionLines = (values: readonly OptionValueLine[]): string =>
  values
    .map(({ name, presentation }) => (name === presentation ? name : `${name}: ${presentation}`))
    .join('\n');

/**
 * Reads such lines as the changes of an option type. A value keeps its id by its name; what has no line any more is
 * deleted, and the lines are the order.
 */
export function readOptionLines(text: string, stored: readonly StoredOptionValue[]) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line): OptionValueLine => {
      const [name = '', ...rest] = line.split(':');
      return { name: name.trim(), presentation: rest.join(':').trim() || name.trim() };
    });
  const idOf = (name: string): number | undefined => stored.find((value) => value.name === name)?.id;
  const names = new Set(lines.map(({ name }) => name));
  return [
    ...stored.filter(({ name }) => !names.has(name)).map(({ id }) => ({ id, _destroy: true })),
    ...lines.map((line, index) => {
      const id = idOf(line.name);
      return { ...line, position: index + 1, ...(id !== undefined && { id }) };
    }),
  ];
}
