/** An option as it reads in a sentence. */
interface NamedOption {
  presentation: string;
  option_type_presentation: string | null;
}

/**
 * A variant's options for people: `Size: Small, Color: Red`, and from three on `Size: Small, Color: Red, and Fit: Slim`
 * (behaviour reference 4.3). Empty without options; a value without a type stands alone.
 */
export function buildOptionsText(values: readonly NamedOption[]): string {
  const parts = values.map(({ presentation, option_type_presentation: type }) =>
    type === null ? presentation : `${type}: ${presentation}`,
  );
  if (parts.length < 3) return parts.join(', ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1) ?? ''}`;
}
