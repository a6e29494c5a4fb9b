import path from 'node:path';
import type { z } from 'zod';
import { EnvironmentSchema } from './environment';
import { StartupError } from './platform/startup-error';

/** A setting is invalid; the message names every invalid setting. */
export class ConfigError extends StartupError {}

/** The settings of one process; frozen. */
export type Config = ReturnType<typeof readSettings>;

export type SeedMode = Config['seed'];

/**
 * Loads the settings from the environment; an empty variable counts as unset. No other code reads settings (lint).
 * @throws ConfigError with one line that names every invalid setting and what it must be, without its value
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const nonEmpty = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = EnvironmentSchema.safeParse(nonEmpty);
  if (!parsed.success) throw new ConfigError(describeProblems(parsed.error));
  return readSettings(parsed.data);
}

/** Names the settings as the program does. What they mean is in environment.ts; null stands for none. */
function readSettings(settings: z.output<typeof EnvironmentSchema>) {
  const seed = settings.SEED ?? (settings.DATABASE_URL === undefined ? 'demo' : 'reference');
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    /** Null for the embedded database. Contains a password, like all URLs; never log it. */
    databaseUrl: settings.DATABASE_URL ?? null,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? null,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL ?? null,
    isReadOnly: settings.READ_ONLY,
    workers: settings.WORKERS,
    /** Whether this process does the work in the background. */
    hasInlineWorker: settings.WORKER === 'inline',
    /** Absolute. */
    dataDir: path.resolve(settings.DATA_DIR),
    /** Secrets are null if they must be generated. */
    admin: Object.freeze({
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD ?? null,
      token: settings.ADMIN_TOKEN ?? null,
    }),
    /** Null for the key stored in dataDir. */
    secretKey: settings.SECRET_KEY ?? null,
    /** The former SECRET_KEY, while it is being changed. */
    secretKeyPrevious: settings.SECRET_KEY_PREVIOUS ?? null,
    seed,
    hasStorefront: settings.STOREFRONT ?? seed === 'demo',
    hasOffice: settings.OFFICE ?? seed === 'demo',
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    hasFastCarts: settings.CART_COMMITS === 'fast',
    maxInFlight: settings.MAX_IN_FLIGHT,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_MS,
    slowStatementMs: settings.SLOW_STATEMENT_MS,
    catalogMaxAge: settings.CATALOG_MAX_AGE,
    catalogStaleSeconds: settings.CATALOG_STALE_SECONDS,
    cartMaxAgeDays: settings.CART_MAX_AGE_DAYS,
    /** Without a slash at its end; null if unknown. */
    publicUrl: settings.PUBLIC_URL ?? null,
    /** Null for a folder of dataDir. Contains a secret; never log it. */
    storage: settings.STORAGE_URL ?? null,
    /** Null for files in dataDir. Contains a password; never log it. */
    mailUrl: settings.MAIL_URL ?? null,
    tracesUrl: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metricsToken: settings.METRICS_TOKEN ?? null,
    allowsPrivateWebhooks: settings.WEBHOOK_ALLOW_PRIVATE,
    rateLimitScale: settings.RATE_LIMIT_SCALE,
  });
}

/** Returns the folder of files, unless they are in a bucket. */
export function buildFilesPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'files');
}

/** Returns the folder of mails. */
export function buildMailPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'mail');
}

/** The variable with the password for `store user create`; not a setting of the store. */
export const NEW_USER_PASSWORD = 'NEW_USER_PASSWORD';

/** Reads the password for a new user from the environment; null if unset. */
export function readNewUserPassword(env: NodeJS.ProcessEnv = process.env): string | null {
  const password = env[NEW_USER_PASSWORD] ?? '';
  return password === '' ? null : password;
}

function describeProblems(error: z.ZodError): string {
  const shape: Record<string, z.ZodType> = EnvironmentSchema.shape;
  const names = [...new Set(error.issues.map((issue) => String(issue.path[0])))];
  return names.map((name) => `${name} must be ${shape[name]?.description ?? 'valid'}`).join('; ');
}
