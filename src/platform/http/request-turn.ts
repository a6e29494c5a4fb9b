import type { Request } from 'express';
import { BadRequest } from '../errors';
import type { CredentialNames } from './credentials';

/** Gives turns to the clients of network addresses. Admins take none. */
export interface Turns {
  /**
   * Waits for the turn of a client.
   * @returns a function that ends the turn, which takes what it cost beside what is charged
   * @throws a refusal
   */
  take: (clientAddress: string) => Promise<(cost: number) => void>;
  /** Returns whether a client has used so much that it waits for turns. */
  isExhausted: (clientAddress: string) => boolean;
  /** Notes what a request without a turn has cost. */
  spend: (clientAddress: string, cost: number) => void;
}

/** The turn of one request. */
export interface Turn {
  /**
   * Takes the turn before anything else is done, unless the request may be that of an admin: it has a token in its header or URL, and
   * the client has not used much by requests of others or with invalid tokens.
   */
  takeEarly: () => Promise<void>;
  /** Takes the turn, unless it is taken. @throws a refusal; BadRequest if the client is gone by then */
  take: () => Promise<void>;
  /** Notes that the caller is known. */
  identify: () => void;
  /** Notes that the request costs more than was known before its records were read. */
  spend: (cost: number) => void;
  /** Ends the turn if it is taken. Requests whose caller was not found out are charged. */
  end: (cost: number) => void;
}

/** The points of a request with an invalid token. */
const UNKNOWN_CALLER = 10;

/** Creates the turn of a request, which is not taken yet. */
export function createTurn(
  request: Request,
  { turns, credentials }: { turns: Turns; credentials: CredentialNames },
): Turn {
  const address = request.ip ?? '';
  let end: ((cost: number) => void) | null = null;
  let isKnown = false;
  const take = async (): Promise<void> => {
    end ??= await turns.take(address);
    if (request.socket.destroyed) throw new BadRequest();
  };
  return {
    takeEarly: async () => {
      if (!mayBeAdmin(request, credentials) || turns.isExhausted(address)) await take();
    },
    take,
    identify: () => {
      isKnown = true;
    },
    spend: (cost) => turns.spend(address, cost),
    end: (cost) => {
      if (!isKnown) turns.spend(address, UNKNOWN_CALLER);
      end?.(cost);
    },
  };
}

function mayBeAdmin(
  { headers, originalUrl }: Pick<Request, 'headers' | 'originalUrl'>,
  { header, parameter }: CredentialNames,
): boolean {
  const isInUrl = originalUrl.includes(`?${parameter}=`) || originalUrl.includes(`&${parameter}=`);
  return headers[header.toLowerCase()] !== undefined || isInUrl;
}
