import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** The classes of the requests and responses of a server. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** Classes that an application can adopt. */
export interface AppMessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/** Creates the classes for a server whose application is built after it listens. Any handler works with them. */
export function createMessageClasses(): AppMessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/**
 * Makes the objects of `classes` the requests and responses of an Express application. Express sets the prototype of each
 * request and response. V8 then handles each object as one of a class of its own, which makes all code that uses it several
 * times slower and keeps the classes until the next full garbage collection. Objects of these classes have that prototype
 * from the beginning, so nothing is set. The application also works with a server without them.
 */
export function useMessageClasses(app: Express, classes: AppMessageClasses): void {
  const request = classes.IncomingMessage.prototype;
  const response = classes.ServerResponse.prototype;
  Object.setPrototypeOf(request, app.request);
  Object.setPrototypeOf(response, app.response);
  // They inherit from the prototypes that they replace, which the types do not say.
  app.request = request as typeof app.request;
  app.response = response as unknown as typeof app.response;
}
