/** JSON that is part of a reply and is sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Returns the JSON text of a value. */
export function toJsonText(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Builds the JSON of an object whose last property is a list, with the JSON of its items. */
export function joinJson(head: object, key: string, items: readonly JsonText[]): JsonText {
  const start = JSON.stringify({ ...head, [key]: [] }).slice(0, -2);
  return new JsonText(`${start}${items.map(({ text }) => text).join(',')}]}`);
}
