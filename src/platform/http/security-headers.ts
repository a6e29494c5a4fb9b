import cors from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';

/** Prevents browsers from executing, framing or sniffing replies. HTML pages replace the policy. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
});

/**
 * Creates the middleware that sets the security headers and those for pages of other origins. Their values are
 * calculated once. Strict-Transport-Security is only set for requests over TLS (RFC 6797, 7.2), which are recognized
 * according to TRUST_PROXY.
 */
export function setCommonHeaders(options: {
  /** Origins whose pages may call the API; `*` for all. */
  origins: readonly string[];
  exposedHeaders: string[];
}): RequestHandler {
  const isOpen = options.origins.includes('*');
  const shareWith = cors({
    origin: isOpen ? '*' : [...options.origins],
    exposedHeaders: options.exposedHeaders,
    maxAge: 600,
  });
  const security = recordHeaders([protect]);
  const securityForAll = recordHeaders([protect, shareWith]);
  const tls = recordHeaders([strictTransportSecurity()]);
  return (request, response, next) => {
    if (request.secure) setAll(response, tls);
    if (isOpen && request.method !== 'OPTIONS') {
      setAll(response, securityForAll);
      next();
      return;
    }
    setAll(response, security);
    shareWith(request, response, next);
  };
}

type Headers = readonly (readonly [string, string])[];

function setAll(response: Response, headers: Headers): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}

type Middleware = (request: Request, response: Response, next: (error?: unknown) => void) => void;

/** Returns the headers that middlewares set whose headers do not depend on the request. */
function recordHeaders(middlewares: readonly Middleware[]): Headers {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
    getHeader: (name: string) => headers.get(name),
  };
  for (const middleware of middlewares) {
    // They use no other members.
    middleware({ method: 'GET', headers: {} } as Request, recorder as unknown as Response, () => undefined);
  }
  return [...headers];
}
