import { DatabaseError } from 'pg';
import { describeError } from '../../../src/platform/logger';

function databaseError(code: string, message: string, extra: Partial<DatabaseError> = {}): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code, ...extra });
}

test('describes an error by its name, message and stack frames', () => {
  const described = describeError(new TypeError('x is not a function'));

  expect(described).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
  expect(described).toHaveProperty('stack', expect.stringMatching(/^\s+at /));
});

test('reduces a database error to names: no details, no values', () => {
  const described = describeError(
    databaseError(
      '23505',
      'insert into "users" ("email") values ($1) - duplicate key value violates "users_email"',
      {
        constraint: 'users_email',
        table: 'users',
        detail: 'Key (email)=(ann@example.com) already exists.',
        where: 'ann@example.com',
      },
    ),
  );

  expect(described).toMatchObject({ code: '23505', constraint: 'users_email', table: 'users' });
  expect(JSON.stringify(described)).not.toContain('ann@example.com');
});

test('replaces messages that contain a value, also in the stack', () => {
  const described = describeError(
    databaseError('22P02', 'invalid input syntax for type integer: "4111111111111111"'),
  );

  expect(described).toMatchObject({ code: '22P02', message: 'a value is not valid for its column' });
  expect(JSON.stringify(described)).not.toContain('4111');
});

test('includes causes; describes other values by their type', () => {
  expect(
    describeError(new Error('outer', { cause: databaseError('22003', 'value "9" is out of range') })),
  ).toMatchObject({
    cause: { message: 'a value is not valid for its column' },
  });
  expect(describeError('secret')).toEqual({ type: 'string' });
});
