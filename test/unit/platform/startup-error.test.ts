import { describeFailure } from '../../../src/cli/failures';
import { reportStartFailure } from '../../../src/platform/startup-error';

afterEach(() => jest.restoreAllMocks());

/** The error of a file that cannot be used. */
const refuse = (code: string) =>
  Object.assign(new Error(`${code}: permission denied, open '/data/secret_key'`), {
    code,
    path: '/data/secret_key',
  });

const OTHER_USER = 'belongs to another user';

test.each([
  ['EACCES', `${OTHER_USER} (EACCES): run as that user, or change the owner of the file`],
  ['EPERM', `${OTHER_USER} (EPERM): run as that user, or change the owner of the file`],
  ['EROFS', 'is on a disk that is read-only (EROFS): check the disk, and mount it for writing'],
])('a file that cannot be used is reported in one line (%s)', (code, reason) => {
  const line = `/data/secret_key ${reason}`;
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
