import { InvalidApiKey } from '../errors/errors';
import { TooLarge } from '../platform/errors';
import type { CheckLargeBody } from '../platform/http/read-body';
import { parseQuery } from '../platform/parameters';
import type { Deps } from './context';
import type { Authenticate } from './create-context';

const HINT =
  'Only members of staff may send a body of more than 64 KiB, with their token in the header X-Store-Token.';

/** Creates the check of large bodies, which only members of staff may send: parsing them takes long. */
export function createLargeBodyCheck({ db }: Pick<Deps, 'db'>, authenticate: Authenticate): CheckLargeBody {
  return async (request) => {
    const [, query = ''] = request.originalUrl.split('?', 2);
    const token = request.header('x-store-token') ?? parseQuery(query)['token'];
    if (typeof token !== 'string' || token === '') return new TooLarge().withHint(HINT);
    try {
      const { roleGrants } = await authenticate(db, token);
      return roleGrants.length > 0 ? null : new TooLarge().withHint(HINT);
    } catch (error) {
      if (error instanceof InvalidApiKey) return error;
      throw error;
    }
  };
}
