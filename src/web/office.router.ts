import path from 'node:path';
import { Router } from 'express';
import { addFiles, setPageHeaders } from './face';

/**
 * Creates the router of the back office: its files, and one page for all its addresses, which the browser fills.
 * @param folder the built back office
 */
export function officeRouter(folder: string): Router {
  const router = Router();
  const client = path.join(folder, 'client');
  addFiles(router, client, '/admin', 'office-files');
  router.get(['/admin', '/admin/*path'], (_request, response) => {
    setPageHeaders(response);
    response.sendFile(path.join(client, 'index.html'), { cacheControl: false });
  });
  return router;
}
