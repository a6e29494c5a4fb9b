/** Decodes what is percent-encoded, and leaves a `%` that encodes nothing, as the driver of PostgreSQL does with passwords. */
export function decodePercent(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
