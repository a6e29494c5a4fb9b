import type { RequestHandler } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';

/** What keeps a reply from being run, framed or guessed at by browsers; pages set a policy of their own. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
});

const requireTls = strictTransportSecurity();

/**
 * Headers that tell browsers what they may do with a reply. Strict-Transport-Security goes only to requests that came
 * over TLS, as far as TRUST_PROXY says that it can be told: without TLS it means nothing (RFC 6797, 7.2).
 */
export const securityHeaders: RequestHandler = (request, response, next) => {
  if (!request.secure) {
    protect(request, response, next);
    return;
  }
  requireTls(request, response, () => protect(request, response, next));
};
