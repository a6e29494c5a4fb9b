/** Returns the name of a variant with its options, such as `Stoneware Mug, Color: White`. */
export const nameOf = ({ name, options_text }: { name: string; options_text: string }): string =>
  options_text === '' ? name : `${name}, ${options_text}`;
