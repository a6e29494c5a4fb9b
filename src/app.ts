import compression from 'compression';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Ctx, Deps } from './sales/context';
import { authorizeCall } from './access/access';
import type { Access } from './access/access';
import type { ApiRouter } from './access/api-router';
import { GUEST, isAdmin } from './access/actor';
import { shareProcessor } from './access/share-processor';
import { clientOf } from './access/limits';
import { createStaffCheck } from './access/staff-check';
import { createOrderTokenCount } from './access/failed-order-tokens';
import { ownerOfKeys, quotaOfKeys } from './access/key-owner';
import { createContextFactory } from './access/create-context';
import { CREDENTIALS } from './access/credentials';
import type { Authenticate } from './access/create-context';
import { buildErrorReply, createErrorHandler } from './errors/error-handler';
import { OTHER_NAMES } from './errors/other-names';
import { OTHER_PATHS } from './errors/other-paths';
import { findDefaultStore } from './accounts/stores/stores.repository';
import { imageFilesRouter } from './catalog/images/image-files.router';
import { searchEngineFilesRouter } from './catalog/search-engines/search-engine-files.router';
import { findOrderByNumber } from './sales/order/orders.repository';
import { authorizeReplay } from './sales/order-replies/authorize-replay';
import { findOrderToken } from './sales/order/order-access';
import { listPageHosts } from './sales/payments/page-hosts.service';
import { createBodyParsers } from './platform/http/body-parsers';
import { finishBody } from './platform/http/finish-body';
import { createReadinessCheck, healthRouter } from './platform/http/health.router';
import { Unavailable } from './platform/errors';
import { officeRouter } from './web/office.router';
import { createShop } from './web/shop.router';
import { largeReads } from './platform/large-reads';
import { watchDisk } from './platform/database/disk-watch';
import { metricsRouter, type MetricsOptions } from './platform/metrics/metrics.router';
import { acceptsWrites } from './platform/database/knex';
import type { ReplicaReader } from './platform/database/replica';
import { createLoadShedder } from './platform/http/load-shedding';
import { logRequests } from './platform/http/request-log';
import type { Application } from './platform/http/application';
import { isPublicReply } from './platform/http/cache-key';
import { rejectUnknownRoutes } from './platform/http/unknown-routes';
import { mountEndpoints } from './platform/http/mount';
import { chain } from './platform/http/chain';
import { COMPRESSION_THRESHOLD } from './platform/http/ready-reply';
import { createCaches } from './platform/http/stale-replies';
import { setPublicUrl } from './platform/public-url';
import { compareAlways, joinSegmentsBelow, overrideMethod, stripSuffix } from './platform/http/rewrite';
import { setCommonHeaders } from './platform/http/security-headers';
import { docsRouter } from './platform/openapi/docs.router';
import { apiRouters } from './routers';
import { buildDocument } from './platform/openapi/document';
import { HEADERS } from './platform/openapi/replies';
import { getDocsFiles } from '../docs-content/site/site';
import { storeReference } from '../docs-content/store-reference';

export interface AppOptions {
  deps: Deps;
  authenticate: Authenticate;
  /** Origins whose pages may call the API from a browser; `*` for all. */
  corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted: their number or addresses. */
  trustProxy?: number | readonly string[];
  /** Maximum number of concurrent requests; more get 503. */
  maxInFlight?: number;
  /** False while the program stops; /health/ready then returns 503. */
  isRunning?: () => boolean;
  /** Where cached reads are produced; null for the database of `deps`. */
  readFromReplica?: ReplicaReader | null;
  /** Seconds for which proxies may keep replies of the catalog to guests. Defaults to 0. */
  catalogMaxAge?: number;
  /** Seconds for which replies of the catalog to guests are repeated while the database is unavailable. Defaults to 0. */
  catalogStaleSeconds?: number;
  /** Whether all requests except reads are rejected. */
  isReadOnly?: boolean;
  /** The address under which clients reach the store; null if unknown. One for all applications of a process. */
  publicUrl?: string | null;
  /** What GET /metrics needs; there is no such path without. */
  metrics?: MetricsOptions;
  /** The folder of the built shop to serve; null for none. */
  shop?: string | null;
  /** The folder of the built back office to serve; null for none. */
  office?: string | null;
}

const READ_ONLY_RETRY_SECONDS = 60;

const listEndpoints = (routers: readonly ApiRouter<Ctx>[]) => routers.flatMap(({ endpoints }) => endpoints);

const API_PATH = '/api/v1';

/** Middlewares, compression and pipelines listen for the end of a response: more than the ten that Node.js takes for a leak. */
const MOST_LISTENERS = 30;

const allowListeners: RequestHandler = (_request, response, next) => {
  response.setMaxListeners(MOST_LISTENERS);
  next();
};

/** Builds the Express application: security, parsing, then the routers. */
export function buildApp(options: AppOptions): Express {
  const {
    deps,
    authenticate,
    corsOrigins,
    trustProxy = 0,
    maxInFlight = 256,
    isRunning = () => true,
    readFromReplica = null,
    isReadOnly = false,
    catalogMaxAge = 0,
    catalogStaleSeconds = 0,
    publicUrl = null,
    metrics,
    shop = null,
    office = null,
  } = options;
  setPublicUrl(publicUrl ?? '');
  const app = express();
  app.set('trust proxy', trustProxy);
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.use(
    chain([
      allowListeners,
      compareAlways,
      logRequests(deps.log),
      finishBody,
      // Pages of other origins may read all documented headers.
      setCommonHeaders({ origins: corsOrigins, exposedHeaders: Object.keys(HEADERS) }),
      compressWhereAccepted(),
    ]),
  );
  const routers = apiRouters();
  const isDiskFull = watchDisk(deps.db);
  if (isReadOnly) app.use(API_PATH, rejectWrites);
  const application = buildApplication(deps, {
    authenticate,
    readFromReplica,
    catalogMaxAge,
    catalogStaleSeconds,
  });
  const load = createLoadShedder(maxInFlight, {
    now: () => deps.now().getTime(),
    callerOf: ({ ip }) => clientOf(ip ?? ''),
  });
  const parsers = createBodyParsers(createStaffCheck(deps, authenticate), isGatewayEvent);
  // Permalinks of taxons contain slashes.
  const rewrite = chain([stripSuffix, joinSegmentsBelow('/taxons/by_permalink/')]);
  const prepare = chain([rewrite, whereBody(chain(parsers)), load.middleware, overrideMethod]);
  // A router of its own, so that the prefix is matched only once per request.
  const api = express.Router();
  api.use(chain([prepare, mountEndpoints(routers, application)]));
  app.use(API_PATH, api);
  const checkReadiness = createReadinessCheck(() =>
    findUnreadiness(deps, { isRunning, isDiskFull, isStuck: load.isStuck, isReadOnly }),
  );
  app.use(healthRouter(checkReadiness, (cause) => deps.log.warn({ cause }, 'not ready')));
  const isReady = async () => (await checkReadiness()) === null;
  if (metrics !== undefined) app.use(metricsRouter(metrics, isReady));
  if (office !== null) app.use(officeRouter(office));
  const served =
    shop === null
      ? null
      : createShop(shop, { app, turns: application.turns, listHosts: () => listPageHosts(deps) });
  if (served !== null) app.use(served.router);
  app.get('/', async (_request, response) => {
    response.redirect(302, toPage((await findDefaultStore(deps.db))?.url));
  });
  app.use(docsRouter(() => getDocsFiles(() => buildDocument(listEndpoints(routers), storeReference))));
  app.use(imageFilesRouter(deps));
  app.use(searchEngineFilesRouter(deps));
  if (served !== null) app.use(served.showMissingPage);
  app.use(rejectUnknownRoutes(listEndpoints(routers), { prefix: API_PATH, otherPaths: OTHER_PATHS }));
  app.use(createErrorHandler(deps.log));
  return app;
}

/** The address of the reference data, at which no storefront is. */
const NO_STOREFRONT = /(^|\/\/|\.)example\.(com|net|org)(\/|$)/;

/** Returns where people find something: the storefront at this address, else the reference. */
function toPage(url: string | undefined): string {
  if (url === undefined || url === '' || NO_STOREFRONT.test(url)) return '/docs';
  return /^https?:\/\//.test(url) ? url : `https://${url}`;
}

/** Returns whether the body is one of a payment provider, whose signature is of its text. */
function isGatewayEvent({ path }: Request): boolean {
  return /^\/gateways\/[^/]+\/events\/?$/i.test(path);
}

/** Runs a middleware only for requests with a body. */
function whereBody(middleware: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) next();
    else middleware(request, response, next) as void;
  };
}

/** Creates the middleware that compresses replies. It does nothing for clients that accept no compression. */
function compressWhereAccepted(): RequestHandler {
  const compress = compression({ threshold: COMPRESSION_THRESHOLD });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] === undefined) {
      response.vary('Accept-Encoding');
      next();
    } else compress(request, response, next);
  };
}

const rejectWrites: RequestHandler = (request, _response, next) => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) next();
  else throw new Unavailable('The store is read-only at the moment.', READ_ONLY_RETRY_SECONDS);
};

/** Returns why the store is not ready; null if it is. @throws if the database does not answer */
async function findUnreadiness(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  checks: Record<'isRunning' | 'isStuck', () => boolean> & {
    isDiskFull: () => Promise<boolean>;
    isReadOnly: boolean;
  },
): Promise<string | null> {
  if (!checks.isRunning()) return 'the program is stopping';
  if (checks.isStuck()) return 'the requests in progress have been at their limit for ten seconds';
  if (!(await storage.hasSpace())) return 'the disk of uploaded files is full';
  if (!(await acceptsWrites(db)) && !checks.isReadOnly) return 'the database is read-only';
  if (await checks.isDiskFull()) return 'the disk of the database is full';
  return null;
}

/** Builds what the handler of the endpoints needs of the shop. */
function buildApplication(
  deps: Deps,
  {
    authenticate,
    readFromReplica,
    catalogMaxAge,
    catalogStaleSeconds,
  }: Required<Pick<AppOptions, 'authenticate' | 'readFromReplica' | 'catalogMaxAge' | 'catalogStaleSeconds'>>,
): Application<Ctx, Access> {
  return {
    ...(readFromReplica !== null && {
      readCacheable: (ctx, work) => readFromReplica((db) => work({ ...ctx, db })),
    }),
    credentials: CREDENTIALS,
    createContext: createContextFactory(deps, { authenticate, findOrderToken }),
    authorize: (endpoint, { actor }) => authorizeCall(endpoint, actor),
    ...shareProcessor(),
    countRefusal: createOrderTokenCount(findOrderByNumber),
    isAdmin: ({ actor }) => isAdmin(actor),
    cacheOf: createCaches(catalogStaleSeconds, isPublicReply),
    sharedCacheControl: ({ actor, orderToken }) =>
      catalogMaxAge > 0 && actor === GUEST && orderToken === null
        ? buildSharedCacheControl(catalogMaxAge)
        : null,
    // Lists that shoppers can read are limited to their own records, or have slots of their own.
    awaitTurn: ({ access, paged }, work) =>
      paged !== undefined && (access === 'admin' || access === 'full_admin') ? largeReads(work) : work(),
    // Paths below /checkouts are those of an order.
    toRecordPath: (path) => path.replace(/^\/checkouts\//, '/orders/'),
    keyOwner: ownerOfKeys,
    keyQuota: quotaOfKeys,
    authorizeReplay,
    secret: deps.secret,
    errorReply: buildErrorReply,
    otherNames: OTHER_NAMES,
  };
}

/** Browsers ask before each use; proxies keep replies, and for a day serve them while the store fails. */
function buildSharedCacheControl(seconds: number): string {
  return `public, max-age=0, s-maxage=${seconds}, stale-if-error=86400`;
}
