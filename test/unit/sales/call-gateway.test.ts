import { pino } from 'pino';
import { Unavailable } from '../../../src/platform/errors';
import { withTimeout } from '../../../src/sales/payment-processing/call-gateway';

const never = () => new Promise<never>(() => undefined);

afterEach(() => jest.useRealTimers());

test('what a gateway answers is handed on', async () => {
  expect(await withTimeout(pino({ level: 'silent' }), {}, () => Promise.resolve('answer'))).toBe('answer');
});

test('one that hangs is given up after six seconds', async () => {
  jest.useFakeTimers();
  const asking = expect(withTimeout(pino({ level: 'silent' }), {}, never)).rejects.toThrow(Unavailable);
  await jest.advanceTimersByTimeAsync(6_000);
  await asking;
  expect(jest.getTimerCount()).toBe(0);
});

test('of what it fails with the log is told type and code, never the message', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const error = Object.assign(new TypeError('card 4111111111111111 refused'), { code: 'ECONNRESET' });
  await expect(withTimeout(log, { kind: 'capture' }, () => Promise.reject(error))).rejects.toThrow(Unavailable);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'capture', error_type: 'TypeError', error_code: 'ECONNRESET' },
  ]);
  expect(lines.join()).not.toContain('4111');
});

test('a gateway that throws before it promises is silent too', async () => {
  const broken = () => {
    throw new Error('not configured');
  };
  await expect(withTimeout(pino({ level: 'silent' }), {}, broken)).rejects.toThrow(Unavailable);
});
