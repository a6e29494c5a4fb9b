import { pino } from 'pino';
import { Unavailable } from '../../../src/platform/errors';
import { withTimeout } from '../../../src/sales/payment-processing/call-gateway';

const never = () => new Promise<never>(() => undefined);
const ABOUT = { gateway: 'stripe' };

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('the result of the gateway is returned, and its timer ends', async () => {
  const [started, ended] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
  expect(await withTimeout(pino({ level: 'silent' }), ABOUT, () => Promise.resolve('result'))).toBe('result');
  const call = started.mock.calls.findIndex(([, delay]) => delay === 6_000);
  expect(ended).toHaveBeenCalledWith(started.mock.results[call]?.value);
});

test('a gateway that does not respond times out after six seconds', async () => {
  jest.useFakeTimers();
  const call = expect(withTimeout(pino({ level: 'silent' }), ABOUT, never)).rejects.toThrow(Unavailable);
  await jest.advanceTimersByTimeAsync(6_000);
  await call;
});

test('the log has the type and code of a gateway error, never its message', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const error = Object.assign(new TypeError('card 4111111111111111 refused'), { code: 'ECONNRESET' });
  await expect(withTimeout(log, { ...ABOUT, kind: 'capture' }, () => Promise.reject(error))).rejects.toThrow(
    Unavailable,
  );
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { gateway: 'stripe', kind: 'capture', error_type: 'TypeError', error_code: 'ECONNRESET' },
  ]);
  expect(lines.join()).not.toContain('4111');
});

test('the log names errors of providers by their classes', async () => {
  class StripeAuthenticationError extends Error {}
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const call = withTimeout(log, ABOUT, () => Promise.reject(new StripeAuthenticationError('sk_live_1')));
  await expect(call).rejects.toThrow(Unavailable);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ error_type: 'StripeAuthenticationError' }]);
  expect(lines.join()).not.toContain('sk_live');
});

test('a gateway that throws synchronously is unavailable too', async () => {
  const broken = () => {
    throw new Error('not configured');
  };
  await expect(withTimeout(pino({ level: 'silent' }), ABOUT, broken)).rejects.toThrow(Unavailable);
});

test('a provider that never answers takes at most 64 places; requests to others go on', async () => {
  jest.useFakeTimers();
  const log = pino({ level: 'silent' });
  const waiting = Array.from({ length: 64 }, () => withTimeout(log, ABOUT, never).catch(String));
  const further = jest.fn(never);
  await expect(withTimeout(log, ABOUT, further)).rejects.toThrow(Unavailable);
  expect(further).not.toHaveBeenCalled();
  expect(await withTimeout(log, { gateway: 'paypal' }, () => Promise.resolve('result'))).toBe('result');
  await jest.advanceTimersByTimeAsync(6_000);
  await Promise.all(waiting);
  expect(await withTimeout(log, ABOUT, () => Promise.resolve('result'))).toBe('result');
});
