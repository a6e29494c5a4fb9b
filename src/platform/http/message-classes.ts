import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** The classes of the requests and responses of a server. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Creates the classes of the requests and responses of an Express application. Express sets the prototype of each request and
 * response. V8 then handles each object as one of a class of its own, which makes all code that uses it several times slower
 * and keeps the classes until the next full garbage collection. Objects of these classes have that prototype from the
 * beginning, so nothing is set. The application also works with a server without them.
 */
export function createMessageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  // They inherit from the prototypes that they replace, which the types do not say.
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
