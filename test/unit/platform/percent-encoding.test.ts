import { pino } from 'pino';
import { openDatabase } from '../../../src/platform/database/open-database';
import { decodePercent } from '../../../src/platform/percent-encoding';

test.each([
  ['p%40ss%2Fword', 'p@ss/word'],
  ['gr%C3%BCn', 'grün'],
  ['50%off', '50%off'],
  ['50%%40', '50%@'],
  ['%ff', '%ff'],
  ['%', '%'],
])('%j is %j', (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded);
});

test('an unreachable database whose URL has a % that encodes nothing is reported as such', async () => {
  const place = { url: 'postgres://o%p:50%off@127.0.0.1:1/st%re', dataDir: '/nowhere' };
  await expect(openDatabase(place, pino({ level: 'silent' }))).rejects.toThrow(
    'The database at 127.0.0.1:1 cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL',
  );
});
