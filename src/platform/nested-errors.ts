import { InvalidResource, type FieldErrors } from './errors';

/** Prefixes the field errors of a nested record, as its parent reports them: `bill_address.city`. */
export function prefixErrors(prefix: string, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [`${prefix}.${field}`, messages]),
  );
}

/**
 * Runs `work` and removes the prefix from its field errors (`city`), for a nested record that has its own endpoints.
 */
export async function withUnprefixedErrors<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidResource)) throw error;
    const unprefixed = new InvalidResource(
      Object.fromEntries(
        Object.entries(error.errors).map(([field, messages]) => [removePrefix(prefix, field), messages]),
      ),
    );
    unprefixed.hint = error.hint;
    throw unprefixed;
  }
}

function removePrefix(prefix: string, field: string): string {
  return field.startsWith(`${prefix}.`) ? field.slice(prefix.length + 1) : field;
}
