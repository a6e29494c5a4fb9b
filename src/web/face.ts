import path from 'node:path';
import type { RequestHandler, Response, Router } from 'express';
import sirv from 'sirv';
import { getPublicUrl } from '../platform/public-url';

const YEAR_SECONDS = 31_536_000;

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
  router.use(
    `${base}/${assets}`,
    sirv(path.join(client, assets), {
      brotli: true,
      gzip: true,
      dotfiles: false,
      immutable: true,
      maxAge: YEAR_SECONDS,
    }),
  );
  router.get(`${base}/icon.svg`, sendIcon);
}
