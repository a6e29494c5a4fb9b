import { joinJson, JsonText } from '../../../src/platform/http/json-text';
import { buildReadyReply } from '../../../src/platform/http/ready-reply';

const items = () => [{ id: 1, name: 'Ä' }, { id: 2 }].map((item) => JsonText.of(item));

test('a list is the JSON of its items', () => {
  const list = joinJson({ count: 2 }, 'products', items());
  expect(JSON.parse(list.text)).toEqual({ count: 2, products: [{ id: 1, name: 'Ä' }, { id: 2 }] });
  expect(list.length).toBe(Buffer.byteLength(list.text));
  expect(joinJson({ count: 0 }, 'products', []).text).toBe('{"count":0,"products":[]}');
});

test('a list copies nothing when it is sent first, and is one piece from then on', () => {
  const parts = items();
  const list = joinJson({ count: 2 }, 'products', parts);
  const first = list.takePieces();
  expect(first).toContain(parts[0]?.bytes);
  const [again, ...others] = list.takePieces();
  expect(others).toEqual([]);
  expect(again).toEqual(Buffer.concat(first));
  expect(list.takePieces()[0]).toBe(again);
});

test('equal lists have the same ETag, and others another one', () => {
  const etagOf = (count: number, parts: JsonText[]) =>
    buildReadyReply(joinJson({ count }, 'products', parts), {}).etag;
  const etag = etagOf(2, items());
  expect(etagOf(2, items())).toBe(etag);
  expect(etagOf(3, items())).not.toBe(etag);
  expect(etagOf(2, items().reverse())).not.toBe(etag);
  expect(etagOf(2, [...items().slice(1), JsonText.of({ id: 3 })])).not.toBe(etag);
});
