import { noteLostConnection } from '../../../src/platform/lost-connections';
import { createRevisionMemory } from '../../../src/platform/revision-memory';

const NOON = new Date('2026-06-01T12:00:00Z');
const LATER = new Date('2026-06-01T12:00:01Z');

test('a value is found at its revision only', () => {
  const memory = createRevisionMemory<number>({ max: 10 });
  memory.keepFor('a', 'key', 1);
  expect(memory.find('key', 'a')).toBe(1);
  expect(memory.find('key', 'b')).toBeUndefined();
  expect(memory.find('other', 'a')).toBeUndefined();
  expect(memory.findLast('key', NOON)).toEqual({ value: 1, revision: 'a', validUntil: null });
  memory.keepFor('b', 'key', 2);
  expect([memory.find('key', 'a'), memory.find('key', 'b')]).toEqual([undefined, 2]);
  memory.forget('key');
  expect(memory.find('key', 'b')).toBeUndefined();
});

test('a value ends at the time until which it is valid', () => {
  const memory = createRevisionMemory<number>({ max: 10 });
  memory.keepFor('a', 'key', 1, LATER);
  expect([memory.find('key', 'a', NOON), memory.findLast('key', NOON)?.value]).toEqual([1, 1]);
  expect([memory.find('key', 'a', LATER), memory.findLast('key', LATER)]).toEqual([undefined, undefined]);
});

test('the values that were not used lately are dropped first', () => {
  const memory = createRevisionMemory<string, number>({ maxSize: 10, sizeOf: (text) => text.length });
  memory.keepFor('a', 1, '12345');
  memory.keepFor('a', 2, '12345');
  expect(memory.find(1, 'a')).toBe('12345');
  memory.keepFor('a', 3, '12345');
  expect([1, 2, 3].map((key) => memory.find(key, 'a') !== undefined)).toEqual([true, false, true]);
});

test('a lost connection empties the memory', () => {
  const memory = createRevisionMemory<number>({ max: 10 });
  memory.keepFor('a', 'key', 1);
  noteLostConnection();
  expect(memory.find('key', 'a')).toBeUndefined();
});
