import { buildErrorReply } from '../../../src/errors/error-handler';
import { isDatabaseUnavailable } from '../../../src/platform/database/outage';
import { explainMissingPrivilege } from '../../../src/platform/database/pg-errors';

const ofDatabase = (message: string, fields: object) => Object.assign(new Error(message), fields);

test.each([
  ['58030', 'md.c', 'could not read blocks 0..0 in file "base/1/2": Input/output error'],
  ['53100', 'md.c', 'could not extend file "base/1/2": No space left on device'],
  // A disk that a fault has made read-only.
  ['42501', 'xlog.c', 'could not write to log file "0001": Read-only file system'],
])('a disk of the database that fails with %s in %s is 503', (code, file, message) => {
  const error = ofDatabase(message, { code, file });
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(buildErrorReply(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  expect(explainMissingPrivilege(error)).toBeNull();
});

test('a missing privilege of the database user is not an outage', () => {
  const error = ofDatabase('permission denied for table orders', { code: '42501', file: 'aclchk.c' });
  expect(isDatabaseUnavailable(error)).toBe(false);
  expect(explainMissingPrivilege(error)?.message).toContain('permission denied for table orders');
});
