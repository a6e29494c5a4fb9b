import { formatDate, isCalendarDate, isTimeZone } from '../../../src/platform/calendar';

test('time zones are names of the IANA database', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  }
  for (const name of ['', 'Berlin', 'Europe/Bonn', '+02:00', 'UTC; DROP TABLE orders', 'posix/UTC ']) {
    expect([name, isTimeZone(name)]).toEqual([name, false]);
  }
});

test('dates exist and have the form 2026-02-28', () => {
  expect(['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'].every(isCalendarDate)).toBe(true);
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '0000-01-01',
    '2026-1-01',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '',
  ]) {
    expect([text, isCalendarDate(text)]).toEqual([text, false]);
  }
});

test('dates are those of the time zone', () => {
  const time = new Date('2025-12-31T23:30:00Z');
  expect(formatDate(time, { format: 'DD.MM.YYYY', timeZone: 'Europe/Berlin' })).toBe('01.01.2026');
  expect(formatDate(time, { format: 'MM/DD/YYYY', timeZone: 'UTC' })).toBe('12/31/2025');
  expect(formatDate(time, { format: 'DD/MM/YYYY', timeZone: 'America/New_York' })).toBe('31/12/2025');
  expect(formatDate(time, { format: 'YYYY-MM-DD', timeZone: 'UTC' })).toBe('2025-12-31');
});
