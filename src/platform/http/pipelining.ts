import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createStarts } from './starts';

/** The requests of a connection that wait. Further ones close the connection. */
const MOST_WAITING = 100;

type Turn = [IncomingMessage, ServerResponse<IncomingMessage>];

/**
 * Returns a handler that spreads bursts of requests (`createStarts`) and handles the requests of a connection one after another: each
 * one when the reply to the one before has been handed to the operating system. Without it, pipelined requests would run at once, their
 * replies would be kept in memory while the client does not read, and Node.js would never report the end of those that wait when it
 * disconnects.
 */
export function handleInTurn(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Turn[]>();
  const begin = createStarts();

  const handle = ([request, response]: Turn): void => {
    const { socket } = request;
    response.once('close', () => proceed(socket));
    begin(socket.remoteAddress ?? '', () => {
      if (!socket.destroyed) handler(request, response);
    });
  };
  const proceed = (socket: Socket): void => {
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
    if (next === undefined) waiting.delete(socket);
    else handle(next);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const turns = waiting.get(socket);
    if (turns === undefined) {
      waiting.set(socket, []);
      handle([request, response]);
    } else if (turns.length < MOST_WAITING) turns.push([request, response]);
    else socket.destroy();
  };
}
