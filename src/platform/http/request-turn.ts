import type { Request } from 'express';
import { BadRequest } from '../errors';

/**
 * Waits for the turn of the client with a network address.
 * @returns a function that ends the turn, which takes what it cost beside what is charged
 * @throws a refusal
 */
export type TakeTurn = (clientAddress: string) => Promise<(cost: number) => void>;

/** The turn of one request. */
export interface Turn {
  /** Takes the turn, unless it is taken. @throws a refusal; BadRequest if the client is gone by then */
  take: () => Promise<void>;
  /** Ends the turn if it is taken. */
  end: (cost: number) => void;
}

/** Creates the turn of a request, which is not taken yet. */
export function createTurn(request: Request, takeTurn: TakeTurn): Turn {
  let end: ((cost: number) => void) | null = null;
  return {
    take: async () => {
      end ??= await takeTurn(request.ip ?? '');
      if (request.socket.destroyed) throw new BadRequest();
    },
    end: (cost) => end?.(cost),
  };
}

/** Returns whether the request has a token in its header or URL. All others wait for their turn before anything is done. */
export function mayBeAdmin({ headers, originalUrl }: Pick<Request, 'headers' | 'originalUrl'>): boolean {
  return headers['x-store-token'] !== undefined || /[?&]token=/.test(originalUrl);
}
