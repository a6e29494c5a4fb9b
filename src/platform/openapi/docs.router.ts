import { Router } from 'express';
import { COLLECTION, findCollection } from './collection-file';

/** Allows resources from this host only. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** A file of the documentation. */
export interface DocsFile {
  /** As Express names the type of a response. */
  type: string;
  text: string;
}

/**
 * Creates the router of the documentation at /docs, and of the Postman collection. `getFiles` returns the files by their path;
 * it is called by the first request.
 */
export function docsRouter(getFiles: () => ReadonlyMap<string, DocsFile>): Router {
  const router = Router();
  const collection = findCollection(__dirname);
  router.use('/docs', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  if (collection !== null) {
    router.get(`/docs/${COLLECTION}`, (_request, response) => {
      response.sendFile(collection);
    });
  }
  router.get(['/docs', '/docs/*path'], (request, response, next) => {
    const file = getFiles().get(request.path.replace(/\/$/, ''));
    if (file === undefined) next();
    else response.type(file.type).send(file.text);
  });
  return router;
}
