import type { RequestHandler } from 'express';
import { discardBody } from './upload';

/**
 * Reads the rest of a body that was not needed for the reply, so that the connection can be used again. If the rest
 * does not arrive soon, closes the connection. Without this, a connection would stall whose body a parser had begun to
 * read.
 */
export const finishBody: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    void discardBody(request).then(() => {
      if (!request.complete) request.destroy();
    });
  });
  next();
};
