/** Returns a time for a `datetime-local` field: to the minute, in the time zone of the browser. */
export function toLocal(time: string | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * Returns the time in such a field. One that still shows `before` is that time: the field has neither its seconds nor
 * which of two hours is meant when clocks go back.
 */
export function fromLocal(text: string | null, before: string | null): string | null {
  if (text === null) return null;
  return text === toLocal(before) ? before : new Date(text).toISOString();
}
