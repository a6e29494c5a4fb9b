import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Router, type Express, type Request, type RequestHandler } from 'express';
import { BadRequest } from '../platform/errors';
import { createLocalFetch } from '../platform/http/local-requests';
import type { Turns } from '../platform/http/request-turn';
import { getPublicUrl } from '../platform/public-url';
import { addFiles, setPageHeaders, type Hosts } from './face';

/** The addresses of the shop (web/shop/app.tsx). */
const PAGES = [
  ...['/', '/c/*path', '/products/:slug', '/search', '/cart', '/checkout', '/orders/:number'],
  ...['/sign-in', '/password', '/account'],
];

/** What web/shop/server.tsx exports. */
export interface ShopServer {
  renderPage: (
    path: string,
    origin: string,
    send: (request: globalThis.Request) => Promise<globalThis.Response>,
    inTurn: <T>(work: () => T) => Promise<T>,
  ) => Promise<{ status: number; head: string; body: string; data: string }>;
}

/** The shop, as an application serves it. */
interface ServedShop {
  /** The pages and their files. */
  router: Router;
  /** Tells people that there is no such page; passes the requests of programs on. */
  showMissingPage: RequestHandler;
}

export interface ShopOptions {
  /** The application, whose API the pages call in this process, each in the name of its visitor. */
  app: Express;
  /** The turns of visitors, in which pages are written. */
  turns: Turns;
  /** Returns what its pages may use besides the store. */
  listHosts: () => Promise<readonly Hosts[]>;
  /** Loads what writes the pages, once. Defaults to a file of the folder. */
  load?: () => Promise<ShopServer>;
}

/** The points that it costs to write a page, beside its requests of the API. */
const PAGE = 15;

/**
 * Creates the shop: its pages, with their content in the first HTML, and its files.
 * @param folder the built shop
 */
export function createShop(folder: string, { app, turns, listHosts, load }: ShopOptions): ServedShop {
  const router = Router();
  const client = path.join(folder, 'client');
  const callApi = createLocalFetch(app);
  const template = readFileSync(path.join(client, 'index.html'), 'utf8');
  let server: Promise<ShopServer> | null = null;
  const loadServer = (): Promise<ShopServer> => (server ??= (load ?? loadFrom(folder))());

  const inTurn = async <T>(address: string, work: () => T): Promise<T> => {
    const end = await turns.take(address);
    try {
      return work();
    } finally {
      end(PAGE);
    }
  };

  let hosts: readonly Hosts[] = [];

  addFiles(router, client, '', 'shop-files');
  const showPage: RequestHandler = async (request, response) => {
    const origin = originOf(request);
    const { renderPage } = await loadServer();
    // Without the database, pages are made of kept replies.
    hosts = await listHosts().catch(() => hosts);
    setPageHeaders(response, hosts);
    response.type('html');
    try {
      const page = await renderPage(
        request.originalUrl,
        origin,
        (call) => callApi(call, request.ip),
        (work) => inTurn(request.ip ?? '', work),
      );
      response.status(page.status).send(fill(template, page));
    } catch (error) {
      if (!isBusy(error)) throw error;
      // The script of the page offers a retry.
      response.status(503).setHeader('Retry-After', '5');
      response.send(fill(template, { head: '<title>Busy</title>', body: '', data: '' }));
    }
  };
  router.get(PAGES, showPage);
  const isVisit = (request: Request): boolean =>
    ['GET', 'HEAD'].includes(request.method) &&
    !request.path.startsWith('/api/') &&
    request.accepts(['json', 'html']) === 'html';
  return {
    router,
    showMissingPage: (request, response, next) =>
      isVisit(request) ? showPage(request, response, next) : next(),
  };
}

/** The types of a file that exists after the build only. */
const loadFrom = (folder: string) => () =>
  import(pathToFileURL(path.join(folder, 'server/server.mjs')).href) as Promise<ShopServer>;

/** Puts the parts of a page into their places; `$` in them has no meaning. */
const fill = (template: string, { head, body, data }: { head: string; body: string; data: string }): string =>
  template
    .replace('<!--head-->', () => head)
    .replace('<!--shop-->', () => body)
    .replace('<!--data-->', () => data);

/** Returns the address of the store without a path. @throws BadRequest if the request names none */
function originOf({ protocol, host = '' }: { protocol: string; host?: string }): string {
  const given = getPublicUrl() === '' ? `${protocol}://${host}` : new URL(getPublicUrl()).origin;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.href !== `${url?.origin}/`) throw new BadRequest('The Host header is not valid.');
  return url.origin;
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 503 || error.status === 429);
