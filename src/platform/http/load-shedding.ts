import type { Request, RequestHandler } from 'express';

const BUSY = { error: 'The service is busy. Please try again.' };

/**
 * Answers 503 at once while `maxInFlight` requests are being worked on, rather than letting a queue grow that nobody
 * outlives. A request counts from the moment its body is there until its reply is written: clients that send or
 * read slowly take no place. Mount it behind the body parsers, and health checks before it.
 */
export function shedLoad(maxInFlight: number): RequestHandler {
  let inFlight = 0;
  return (request, response, next) => {
    if (inFlight >= maxInFlight) {
      response.status(503).set({ 'Retry-After': '1', 'Cache-Control': 'no-store' }).json(BUSY);
      return;
    }
    let isCounted = false;
    let isOver = false;
    const begin = () => {
      if (isOver || isCounted) return;
      isCounted = true;
      inFlight += 1;
    };
    const finish = () => {
      if (isCounted && !isOver) inFlight -= 1;
      isOver = true;
    };
    response.once('prefinish', finish).once('close', finish);
    if (isBodyPending(request)) request.once('end', begin);
    else begin();
    next();
  };
}

/** A multipart body, which is read only when the caller's permission is known. */
function isBodyPending(request: Request): boolean {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  return hasBody && !request.complete;
}
