import { describeFailure } from '../../../src/cli/failures';
import { reportStartFailure } from '../../../src/platform/startup-error';

afterEach(() => jest.restoreAllMocks());

/** The error of a file of another user. */
const refuse = (code: string) =>
  Object.assign(new Error(`${code}: permission denied, open '/data/secret_key'`), {
    code,
    path: '/data/secret_key',
  });

test.each(['EACCES', 'EPERM'])('a file of another user is reported in one line (%s)', (code) => {
  const line = `/data/secret_key belongs to another user (${code}): run as that user, or change the owner of the file`;
  expect(describeFailure(refuse(code))).toEqual({ message: line });
  const written: unknown[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(text) > 0);
  jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  expect(() => reportStartFailure(refuse(code))).toThrow('exit');
  expect(written).toEqual([`${line}\n`]);
});

test('other errors keep their stack trace', () => {
  const other = Object.assign(new Error('listen'), { code: 'EACCES', port: 80 });
  expect(describeFailure(other)).toEqual({ message: other.stack });
});
