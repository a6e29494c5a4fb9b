import { z } from 'zod';
import { MAX_PASSWORD_LENGTH } from './accounts/passwords';
import { isEmail } from './platform/email';
import {
  databaseUrl,
  flag,
  isNetwork,
  isOrigin,
  optionalFlag,
  splitList,
  wholeNumber,
} from './platform/setting-values';
import { isSmtpUrl } from './platform/mail/smtp';
import { parseS3Url } from './platform/storage/s3-url';

/** Less than for the passwords of users, so that stores keep starting with the password that they have. */
const MIN_ADMIN_PASSWORD_LENGTH = 6;

/** Settings that may be in a file instead, which the variable NAME_FILE names: those with a password, a key or a token. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'ADMIN_PASSWORD',
  'ADMIN_TOKEN',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'STORAGE_URL',
  'MAIL_URL',
  'METRICS_TOKEN',
] as const;

/**
 * All environment variables of the program. The descriptions complete the sentence "NAME must be …". Messages never
 * contain the value, because it may be a secret.
 */
export const EnvironmentSchema = z.object({
  /** TCP port of the API; 0 selects a free port. */
  PORT: wholeNumber(0, 65_535, 3000),
  /** Address to listen on; use 0.0.0.0 or :: to accept connections from other machines. */
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/)
    .default('127.0.0.1')
    .describe('a host name or an IP address'),
  /** The PostgreSQL to use. Defaults to an embedded one, which stores its files in DATA_DIR. */
  DATABASE_URL: databaseUrl(),
  /** The same database past a pooler, for migrations and seeds. Defaults to DATABASE_URL. */
  DATABASE_DIRECT_URL: databaseUrl(),
  /** A streaming replica of DATABASE_URL, which serves reads of the catalog while it has caught up. */
  DATABASE_REPLICA_URL: databaseUrl(),
  /**
   * Whether the store only reads: it runs no migrations, seeds and jobs, and replies 503 to other requests than GET.
   */
  READ_ONLY: flag(),
  /** Number of processes that serve the port; each has its own connections, cache and limits. */
  WORKERS: wholeNumber(1, 64, 1),
  /** `inline` does the work in the background in this process; `off` leaves it to `npm run worker`. */
  WORKER: z.enum(['inline', 'off']).default('inline').describe('inline or off'),
  /** Folder of the embedded database and, without STORAGE_URL, of files; created if missing. */
  DATA_DIR: z.string().default('./.data').describe('a folder'),
  /** E-mail address of the administrator account that every start creates or updates. */
  ADMIN_EMAIL: z
    .string()
    .refine((value) => isEmail(value, { isLocal: true }))
    .default('admin@example.com')
    .describe('an e-mail address'),
  /** Password of that administrator. Defaults to a generated one, which is printed once when the account is created. */
  ADMIN_PASSWORD: z
    .string()
    .min(MIN_ADMIN_PASSWORD_LENGTH)
    .max(MAX_PASSWORD_LENGTH)
    .optional()
    .describe(`${MIN_ADMIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters long`),
  /** API token of that administrator. Defaults to a generated one, which is printed once if the account has none. */
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe('1 to 255 printable ASCII characters without spaces'),
  /**
   * Key from which order tokens are derived. Defaults to a random one, generated at the first start and stored in
   * DATA_DIR.
   */
  SECRET_KEY: z.string().min(16).max(255).optional().describe('16 to 255 characters long'),
  SECRET_KEY_PREVIOUS: z.string().min(16).max(255).optional().describe('16 to 255 characters long'),
  /** Data loaded into an empty store. Defaults to demo, or to reference with DATABASE_URL. */
  SEED: z.enum(['demo', 'reference', 'none']).optional().describe('demo, reference or none'),
  /** Whether the shop is served at /. Defaults to true with SEED=demo. */
  STOREFRONT: optionalFlag(),
  /** Whether the back office is served at /admin. Defaults to true with SEED=demo. */
  OFFICE: optionalFlag(),
  /** Minimum level that is logged. */
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto').describe('auto, json or pretty'),
  /** Origins whose pages may call the API from a browser: * for all, or a comma-separated list. */
  CORS_ORIGINS: z
    .string()
    .refine((value) => value === '*' || (splitList(value).length > 0 && splitList(value).every(isOrigin)))
    .transform(splitList)
    .default(['*'])
    .describe('* or a comma-separated list of origins like https://shop.example'),
  /** Proxies whose X-Forwarded-For is trusted: their number, or a comma-separated list of their addresses. */
  TRUST_PROXY: z
    .string()
    .refine(
      (value) =>
        /^\d{1,2}$/.test(value) || (splitList(value).length > 0 && splitList(value).every(isNetwork)),
    )
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : splitList(value)))
    .default(0)
    .describe('a number of proxies, or a comma-separated list of addresses or subnets'),
  /** Maximum number of database connections of this process. */
  DATABASE_POOL_SIZE: wholeNumber(2, 200, 10),
  /**
   * `fast` commits changes of carts, addresses and delivery without waiting for the disk: a crash of the database
   * server may undo those of the last second. Never affects orders with payments, stock or completed orders.
   */
  CART_COMMITS: z.enum(['durable', 'fast']).default('durable').describe('durable or fast'),
  /** Maximum number of concurrent requests; more get 503. */
  MAX_IN_FLIGHT: wholeNumber(1, 100_000, 256),
  /**
   * Milliseconds between the signal to stop and the closing of the port. /health/ready returns 503 during this time, so
   * that load balancers stop sending requests.
   */
  SHUTDOWN_DELAY_MS: wholeNumber(0, 120_000, 300),
  /** Statements that take longer, in milliseconds, are logged without their values; 0 logs none. */
  SLOW_STATEMENT_MS: wholeNumber(0, 600_000, 500),
  /**
   * Seconds for which proxies may keep replies of the catalog to guests (`s-maxage`); they may be outdated that long. 0:
   * they ask the store before each use.
   */
  CATALOG_MAX_AGE: wholeNumber(0, 86_400, 0),
  /** Seconds for which replies of the catalog to guests are repeated while the database is unavailable; 0 for never. */
  CATALOG_STALE_SECONDS: wholeNumber(0, 604_800, 0),
  /** The address under which clients reach the store; makes the URLs of images absolute. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    // Nor a user and a password, which all visitors would see in the URLs of images.
    .refine((url) => !/[?#]|^\w+:\/\/[^/]*@/.test(url))
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('a URL like https://api.shop.example'),
  /** The S3 bucket of images, documents and imports. Defaults to a folder of DATA_DIR. */
  STORAGE_URL: z
    .string()
    .transform(parseS3Url)
    .refine((address) => address !== null)
    .optional()
    .describe('a URL like s3://bucket?endpoint=https://s3.example&region=eu-1'),
  /** The SMTP server that passes mails on. Defaults to none: mails are files in DATA_DIR. */
  MAIL_URL: z
    .string()
    .refine(isSmtpUrl)
    .optional()
    .describe('a URL like smtp://user:password@mail.example:587'),
  /** The collector of OpenTelemetry that receives traces by OTLP over HTTP. Defaults to none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('a URL like http://collector:4318'),
  /** Token with which `GET /metrics` may be read from everywhere. Defaults to none: only programs on this machine may. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,255}$/)
    .optional()
    .describe('16 to 255 printable ASCII characters without spaces'),
  /** Days after the last change at which an incomplete order is deleted. */
  CART_MAX_AGE_DAYS: wholeNumber(1, 36_500, 90),
  /** Whether webhooks may lead into private networks, such as to a receiver on this machine. */
  WEBHOOK_ALLOW_PRIVATE: flag(),
  /** Multiplies the limits of attempts, such as sign-ins; 0 switches them off. */
  RATE_LIMIT_SCALE: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/)
    .transform(Number)
    .default(1)
    .describe('a number, such as 1, 0.5 or 0'),
});
