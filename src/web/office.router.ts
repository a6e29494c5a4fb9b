import path from 'node:path';
import { Router } from 'express';
import sirv from 'sirv';
import { getPublicUrl } from '../platform/public-url';

/** Nothing comes from another host, except pictures of a store that has a PUBLIC_URL. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: {pictures}",
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
].join('; ');

/**
 * Creates the router of the back office: its files, and one page for all its addresses, which the browser fills.
 * @param folder the built back office
 */
export function officeRouter(folder: string): Router {
  const router = Router();
  const client = path.join(folder, 'client');
  const files = { brotli: true, gzip: true, dotfiles: false };
  router.use(
    '/admin/files',
    sirv(path.join(client, 'files'), { ...files, immutable: true, maxAge: 31_536_000 }),
  );
  router.get('/admin/icon.svg', (_request, response) => {
    response.sendFile(path.join(client, 'icon.svg'));
  });
  router.get(['/admin', '/admin/*path'], (_request, response) => {
    const pictures = getPublicUrl() === '' ? '' : new URL(getPublicUrl()).origin;
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY.replace('{pictures}', pictures));
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile(path.join(client, 'index.html'), { cacheControl: false });
  });
  return router;
}
