import type { Request, RequestHandler } from 'express';
import { Unavailable } from '../errors';

/**
 * Creates the middleware that fails with Unavailable while `maxInFlight` requests are in progress, instead of queuing
 * more. A request counts from the end of its body until its reply is written, so slow clients do not count. Mount it
 * after the body parsers and the health checks.
 */
export function shedLoad(maxInFlight: number): RequestHandler {
  let inFlight = 0;
  return (request, response, next) => {
    if (inFlight >= maxInFlight) {
      next(
        new Unavailable('The service is busy. Please try again.', 1, `${inFlight} requests are in progress`),
      );
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

/** Returns whether the body is not read yet. Multipart bodies are read after authorization. */
function isBodyPending(request: Request): boolean {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  return hasBody && !request.complete;
}
