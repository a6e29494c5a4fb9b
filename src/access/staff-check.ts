import { InvalidApiKey } from '../errors/errors';
import type { IsStaff } from '../platform/http/read-body';
import { parseQuery } from '../platform/parameters';
import type { Deps } from './context';
import type { Authenticate } from './create-context';

/** Creates the check whether a member of staff sends a request. An invalid token is refused later, as in every request. */
export function createStaffCheck({ db }: Pick<Deps, 'db'>, authenticate: Authenticate): IsStaff {
  return async (request) => {
    const [, query = ''] = request.originalUrl.split('?', 2);
    const token = request.header('x-store-token') ?? parseQuery(query, false)['token'];
    if (typeof token !== 'string' || token === '') return false;
    try {
      return (await authenticate(db, token)).roleGrants.length > 0;
    } catch (error) {
      if (error instanceof InvalidApiKey) return false;
      throw error;
    }
  };
}
