import { Readable } from 'node:stream';
import { Router, type Request, type Response } from 'express';
import type { Deps } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { nameRoute } from '../../platform/http/request-log';
import { sendStream } from '../../platform/http/send-file';
import { toPublicUrl } from '../../platform/public-url';
import {
  getGoogleFeed,
  getRobots,
  getSitemap,
  type RequestedAt,
  type SearchEngineFile,
} from './search-engine-files.service';

/** Builds the router of the files for search engines: outside the API, public, and 404 unless the store has feeds. */
export function searchEngineFilesRouter(deps: Deps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const serve = (path: string, find: (deps: Deps, at: RequestedAt) => Promise<SearchEngineFile>) => {
    router.get(path, async (request, response) => {
      nameRoute(response, path);
      await send(request, response, await find(deps, readRequest(request)));
    });
  };
  serve('/feeds/google.xml', getGoogleFeed);
  serve('/sitemap.xml', getSitemap);
  router.get('/robots.txt', async (request, response) => {
    nameRoute(response, '/robots.txt');
    response.type('text').send(await getRobots(deps, readRequest(request)));
  });
  return router;
}

function readRequest(request: Request): RequestedAt {
  const given = new URL(request.originalUrl, 'http://localhost').searchParams.get('page');
  if (given !== null && !/^[1-9]\d{0,5}$/.test(given)) throw new NotFound();
  const origin = toPublicUrl('') || `${request.protocol}://${request.headers.host ?? 'localhost'}`;
  return { origin, page: given === null ? null : Number(given) };
}

async function send(request: Request, response: Response, file: SearchEngineFile): Promise<void> {
  response.set({
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Control': 'public, no-cache',
    ETag: file.etag,
  });
  if (request.fresh || request.method === 'HEAD') {
    response.status(request.fresh ? 304 : 200).end();
    return;
  }
  await sendStream(Readable.from(file.read()), response);
}
