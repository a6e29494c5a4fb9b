/**
 * Checks that all attributes of a request are read. Pass what destructuring leaves: with an attribute in it, which would be
 * accepted and lost, the call does not compile. At run time it does nothing.
 */
export function checkAllRead(_left: Record<string, never>): void {
  // The type of the parameter is the check.
}
