import type { EnvironmentFacts } from '../../config';
import type { Pooler } from '../../platform/database/pooler';

/** The facts that the doctor has collected; `findings.ts` evaluates them. */
export interface Facts {
  /** Without the v: `20.19.0`. */
  nodeVersion: string;
  settings: SettingFacts;
  environment: EnvironmentFacts;
  port: PortFacts;
  storage: StorageFacts;
  secret: SecretFacts;
  mail: MailFacts;
  links: LinkFacts;
  database: DatabaseFacts;
  /** Null for the embedded database, and if the database cannot be reached. */
  topology: TopologyFacts | null;
}

export interface SettingFacts {
  hasDatabaseUrl: boolean;
  hasSecretKey: boolean;
  /** Whether TRUST_PROXY names a proxy. */
  trustsProxy: boolean;
  databasePoolSize: number;
  /** Processes with a pool of that size. */
  pools: number;
  /** Whether the server works in the background; null with READ_ONLY, which leaves no work. */
  hasInlineWorker: boolean | null;
  hasMetricsToken: boolean;
  allowsPrivateWebhooks: boolean;
  /** Whether no other account could have the password of the administrator. */
  hasWeakAdminPassword: boolean;
}

/** Whether the port is available, used by a store (ready or not), or refused. `any`: PORT is 0. */
export type PortState = 'any' | 'free' | 'ready' | 'not_ready' | 'refused';

export interface PortFacts {
  /** `127.0.0.1:3000` */
  address: string;
  state: PortState;
  /** Why the port is not available and what to do; null unless refused. */
  refusal: string | null;
}

export interface StorageFacts {
  dataDir: string;
  exists: boolean;
  /** The error code (`EACCES`) of a write; null if the folder is writable or can be created. */
  writeError: string | null;
  /** Bytes available to this user; null if unknown. */
  freeBytes: number | null;
  /** Null without STORAGE_URL. */
  bucket: BucketFacts | null;
}

export interface BucketFacts {
  /** Without credentials. */
  name: string;
  /** Null if it works. */
  problem: { message: string; advice: string } | null;
}

/** Whether the server of MAIL_URL accepts the program; null without MAIL_URL. */
export type MailFacts = { host: string; errorCode: string | null } | null;

/** What other addresses of the settings lead to. */
export interface LinkFacts {
  /** Null without PUBLIC_URL. */
  publicUrl: { url: string; leadsToStore: boolean } | null;
  /** Null without OTEL_EXPORTER_OTLP_ENDPOINT. `errorCode` is null if something answers. */
  collector: { host: string; errorCode: string | null } | null;
}

export type SecretFacts =
  | { source: 'setting' }
  | { source: 'file'; file: string; exists: false }
  | { source: 'file'; file: string; exists: true; readable: boolean; size: number; mode: number };

export type DatabaseFacts =
  /** The embedded database does not exist yet. */
  | { kind: 'embedded'; state: 'missing' }
  /** `refusal` says why and what to do. */
  | { kind: 'embedded' | 'external'; state: 'unreachable'; refusal: string }
  | ReachableFacts;

export interface ReachableFacts {
  kind: 'embedded' | 'external';
  state: 'reachable';
  /** Whether a running store uses the embedded database; false for an external database. */
  isStoreRunning: boolean;
  /** As `server_version_num`: 180002 is 18.2. */
  serverVersion: number;
  encoding: string;
  /** Whether the user may create tables. */
  canCreate: boolean;
  /** Tables and sequences that the user may not use as the running store does. */
  denied: readonly string[];
  /** Whether pg_trgm is available. */
  hasTrigrams: boolean;
  /** Maximum number of connections of ordinary users. */
  maxConnections: number;
  appliedMigrations: number;
  pendingMigrations: readonly string[];
  unknownMigrations: readonly string[];
  /** Whether the secret key of the settings opens the key in the database; true if either cannot be read or is missing there. */
  opensKey: boolean;
  /** Processes that work in the background; null if the tables cannot be read yet. */
  workers: number | null;
  clock: ClockFacts;
  /** The address of a store that customers reach by HTTPS, which the program does not speak; null if there is none. */
  secureUrl: string | null;
  /** The names of active payment methods whose gateway accepts test cards only. */
  testMethods: readonly string[];
}

/** Times in milliseconds since the Unix epoch. */
export interface ClockFacts {
  /** Time of this process, halfway between sending the query for the database's time and receiving the result. */
  processTime: number;
  databaseTime: number;
  /** Duration of that query. The skew is known only to within half of it. */
  roundTripMs: number;
  /** When the last migration ran, by the clock at that time; null if none has run. */
  lastMigrationAt: number | null;
}

/** What lies between the store and an external database. */
export interface TopologyFacts {
  /** Whether DATABASE_DIRECT_URL is set. */
  hasDirectUrl: boolean;
  /** False with READ_ONLY. */
  mustWrite: boolean;
  pooler: Pooler | null;
  server: ServerLink;
  /** Null without DATABASE_REPLICA_URL. */
  replica: ReplicaFacts | null;
}

/** A server and the connection to it. */
export interface ServerLink {
  isStandby: boolean;
  isReadOnly: boolean;
  isEncrypted: boolean;
  /** Whether the client is on the machine of the server. */
  isLocal: boolean;
}

export type ReplicaFacts =
  | { state: 'unreachable' }
  /** `hasCaughtUp`: it has the last change of the catalog. */
  | { state: 'reachable'; isStandby: boolean; hasCaughtUp: boolean };
