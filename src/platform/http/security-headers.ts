import type { RequestHandler } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';

/** Prevents browsers from executing, framing or sniffing replies. HTML pages replace the policy. */
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
 * Sets the security headers. Strict-Transport-Security is only set for requests over TLS (RFC 6797, 7.2), which are
 * recognized according to TRUST_PROXY.
 */
export const securityHeaders: RequestHandler = (request, response, next) => {
  if (!request.secure) {
    protect(request, response, next);
    return;
  }
  requireTls(request, response, () => protect(request, response, next));
};
