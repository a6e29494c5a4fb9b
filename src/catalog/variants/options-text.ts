/** An option value with the presentations to show. */
interface NamedOption {
  presentation: string;
  option_type_presentation: string | null;
}

/**
 * Builds the text of the options of a variant: `Size: Small, Color: Red`, or `Size: Small, Color: Red, and Fit: Slim`
 * for three or more. Empty without options. A value without a type shows its presentation only.
 */
export function buildOptionsText(values: readonly NamedOption[]): string {
  const parts = values.map(({ presentation, option_type_presentation: type }) =>
    type === null ? presentation : `${type}: ${presentation}`,
  );
  if (parts.length < 3) return parts.join(', ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1) ?? ''}`;
}
