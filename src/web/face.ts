import path from 'node:path';
import type { RequestHandler, Response, Router } from 'express';
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
    serveStatic: { immutable: true, maxAge: YEAR_MS, redirect: false },
  });
  // A missing file is no page of the face. The encoding was set before it was looked for: a new build may have removed it.
  const leave: RequestHandler = (_request, response, next) => {
    response.removeHeader('Content-Encoding');
    next('router');
  };
  router.use(`${base}/${assets}`, sendAsset, leave);
  router.get(`${base}/icon.svg`, sendIcon);
}
