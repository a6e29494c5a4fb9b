/**
 * Writes the JSON of an object whose last property is a list, while the list is read page by page. Memory depends on the size of
 * a page only.
 */
export async function* streamJson(
  head: object,
  key: string,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  yield JSON.stringify({ ...head, [key]: [] }).slice(0, -2);
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield ']}';
}
