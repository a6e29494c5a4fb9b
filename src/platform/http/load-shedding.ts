import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { Unavailable } from '../errors';
import { requestsInProgress } from '../metrics/metrics';
import { isMultipart } from './upload';

/** Limits how many requests are in progress. */
export interface LoadShedder {
  /** Mount it after the body parsers and the health checks. */
  middleware: RequestHandler;
  /** Returns whether the limit has been reached at every moment of the last ten seconds, without one reply in between. */
  isStuck: () => boolean;
}

const STUCK_MS = 10_000;

/** How many times as many places as are free a caller may take: of 256, one caller gets 205, and each of two 114. */
const MOST_TIMES_FREE = 4;

/** The options of a load shedder. */
export interface LoadShedderOptions {
  /** In milliseconds. */
  now?: () => number;
  /** Returns who sends a request. All requests of one caller never take all places. */
  callerOf?: (request: Request) => string;
}

/**
 * Creates a middleware that fails with Unavailable while `maxInFlight` requests are in progress, or those of one caller take
 * most of the places, instead of queuing more. A request counts until its reply is complete, whether or not the client reads
 * it, or its connection is closed. An upload counts from the end of its body, so slow clients do not count.
 */
export function createLoadShedder(
  maxInFlight: number,
  { now = Date.now, callerOf = () => '' }: LoadShedderOptions = {},
): LoadShedder {
  let inFlight = 0;
  let fullSince: number | null = null;
  const ofCallers = new Map<string, number>();
  const unfinished = createUnfinishedWork();

  const isFull = (caller: string): boolean =>
    (ofCallers.get(caller) ?? 0) >= MOST_TIMES_FREE * (maxInFlight - inFlight);
  const count = (caller: string, change: 1 | -1): void => {
    inFlight += change;
    requestsInProgress.inc(change);
    const own = (ofCallers.get(caller) ?? 0) + change;
    if (own === 0) ofCallers.delete(caller);
    else ofCallers.set(caller, own);
    fullSince = isFull(caller) ? (fullSince ?? now()) : null;
  };
  const middleware: RequestHandler = (request, response, next) => {
    const caller = callerOf(request);
    if (isFull(caller)) {
      const cause = `${inFlight} requests are in progress, ${ofCallers.get(caller) ?? 0} of them of this client`;
      next(new Unavailable('The service is busy. Please try again.', 1, cause));
      return;
    }
    let isCounted = false;
    let isOver = false;
    const begin = () => {
      if (isOver || isCounted) return;
      isCounted = true;
      count(caller, 1);
    };
    const finish = () => {
      if (isCounted && !isOver) count(caller, -1);
      isOver = true;
      unfinished.delete(request.socket, finish);
    };
    unfinished.add(request.socket, finish);
    response.once('close', finish);
    onEnd(response, finish);
    if (isUploadPending(request)) request.once('end', begin);
    else begin();
    next();
  };
  return { middleware, isStuck: () => fullSince !== null && now() - fullSince >= STUCK_MS };
}

/** Creates the work that is finished at the latest when the connection of its request is closed. */
function createUnfinishedWork() {
  const ofSockets = new WeakMap<Socket, Set<() => void>>();
  return {
    add: (socket: Socket, finish: () => void): void => {
      const known = ofSockets.get(socket);
      const all = known ?? new Set();
      all.add(finish);
      if (known !== undefined) return;
      ofSockets.set(socket, all);
      socket.once('close', () => all.forEach((one) => one()));
    },
    delete: (socket: Socket, finish: () => void): void => {
      ofSockets.get(socket)?.delete(finish);
    },
  };
}

/**
 * Calls `done` when the reply is complete. Node.js emits `prefinish` and `close` only for the first of the replies that a
 * connection waits for, and only after the client has read what was before it.
 */
function onEnd(response: Response, done: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => Response; // all overloads of `end`
  const endAndReport = (...args: unknown[]): Response => {
    done();
    return end(...args);
  };
  response.end = endAndReport as typeof response.end; // as above
}

/** Returns whether the body is a form with files that is not read yet. Other bodies are read before, or not at all. */
function isUploadPending(request: Request): boolean {
  return isMultipart(request) && !request.complete;
}
