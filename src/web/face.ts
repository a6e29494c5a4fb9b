import path from 'node:path';
import type { ErrorRequestHandler, RequestHandler, Response, Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { getPublicUrl } from '../platform/public-url';

const YEAR_MS = 365 * 86_400_000;

/** Nothing comes from another host, except pictures of a store that has a PUBLIC_URL, and what providers of payments need. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** Hosts by directive of a Content-Security-Policy. */
export type Hosts = Readonly<Record<string, readonly string[]>>;

/**
 * Sets the headers of a page of the shop or the back office.
 * @param hosts what the page may use besides the store
 */
export function setPageHeaders(response: Response, hosts: readonly Hosts[] = []): void {
  const pictures: Hosts = getPublicUrl() === '' ? {} : { 'img-src': [new URL(getPublicUrl()).origin] };
  response.setHeader('Content-Security-Policy', buildPolicy([pictures, ...hosts]));
  response.setHeader('Cache-Control', 'no-cache');
}

function buildPolicy(additions: readonly Hosts[]): string {
  const policy: Record<string, string> = { ...POLICY };
  for (const [directive, hosts] of additions.flatMap((each) => Object.entries(each)))
    policy[directive] = [policy[directive], ...hosts].filter(Boolean).join(' ');
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/**
 * Adds the files of the shop or the back office to a router.
 * @param client the folder of the files for browsers
 * @param base the path of the face, without a slash at its end
 * @param assets the folder of files whose names change with their content
 */
export function addFiles(router: Router, client: string, base: string, assets: string): void {
  const sendIcon: RequestHandler = (_request, response) => {
    response.sendFile(path.join(client, 'icon.svg'));
  };
  const sendAsset: RequestHandler = expressStaticGzip(path.join(client, assets), {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    index: false,
    // A part of a compressed file is of no use, and an error about it would be marked as compressed.
    serveStatic: { immutable: true, maxAge: YEAR_MS, redirect: false, acceptRanges: false },
  });
  // No file has such a name, and the package answers what cannot be decoded in HTML.
  const leaveEncoded: RequestHandler = (request, _response, next) => {
    if (request.path.includes('%')) next('router');
    else next();
  };
  // The package has set them before the file was looked for.
  const forgetFile = (response: Response): void => {
    for (const name of ['Content-Encoding', 'Content-Type']) response.removeHeader(name);
  };
  // A missing file is no page of the face.
  const leave: RequestHandler = (_request, response, next) => {
    forgetFile(response);
    next('router');
  };
  const fail: ErrorRequestHandler = (error, _request, response, next) => {
    forgetFile(response);
    next(error);
  };
  router.use(`${base}/${assets}`, leaveEncoded, sendAsset, leave, fail);
  router.get(`${base}/icon.svg`, sendIcon);
}
