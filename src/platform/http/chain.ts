import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Combines middlewares that run for every request into one. A router would compare the path with each of them, which takes longer
 * than most of them do.
 */
export function chain(middlewares: readonly RequestHandler[]): RequestHandler {
  const run = (at: number, request: Request, response: Response, next: NextFunction): void => {
    const middleware = middlewares[at];
    if (middleware === undefined) {
      next();
      return;
    }
    try {
      const result: unknown = middleware(request, response, (error?: unknown) => {
        if (error === undefined || error === null) run(at + 1, request, response, next);
        else next(error);
      });
      if (result instanceof Promise) result.catch(next);
    } catch (error) {
      next(error);
    }
  };
  return (request, response, next) => run(0, request, response, next);
}
