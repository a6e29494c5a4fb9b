import path from 'node:path';
import type { RequestHandler, Response, Router } from 'express';
import sirv from 'sirv';
import { getPublicUrl } from '../platform/public-url';

const YEAR_SECONDS = 31_536_000;

/** Nothing comes from another host, except pictures of a store that has a PUBLIC_URL. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: {pictures}; connect-src 'self'",
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
].join('; ');

/** Sets the headers of a page of the shop or the back office. */
export function setPageHeaders(response: Response): void {
  const pictures = getPublicUrl() === '' ? '' : new URL(getPublicUrl()).origin;
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY.replace('{pictures}', pictures));
  response.setHeader('Cache-Control', 'no-cache');
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
      ...{ brotli: true, gzip: true, dotfiles: false },
      ...{ immutable: true, maxAge: YEAR_SECONDS },
    }),
  );
  router.get(`${base}/icon.svg`, sendIcon);
}
