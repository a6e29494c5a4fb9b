/** What the doctor has found out, without an opinion; `findings.ts` has those. */
export interface Facts {
  /** Without the v: `20.19.0`. */
  node_version: string;
  settings: SettingFacts;
  port: PortFacts;
  storage: StorageFacts;
  secret: SecretFacts;
  database: DatabaseFacts;
}

export interface SettingFacts {
  has_database_url: boolean;
  has_secret_key: boolean;
  database_pool_size: number;
}

/** Who listens where the store would: nobody, a store (ready or not), or somebody else. */
export type PortState = 'any' | 'free' | 'ready' | 'not_ready' | 'refused';

export interface PortFacts {
  /** `127.0.0.1:3000` */
  address: string;
  state: PortState;
  /** Why the port cannot be had, and what to do; null unless refused. */
  refusal: string | null;
}

export interface StorageFacts {
  data_dir: string;
  is_made: boolean;
  /** The code of the error (`EACCES`) that writing ended with; null when a file could be written, or the folder made. */
  write_error: string | null;
  /** Bytes this user may still fill; null where the system does not tell. */
  free_bytes: number | null;
}

export type SecretFacts =
  | { source: 'setting' }
  | { source: 'file'; file: string; is_made: false }
  | { source: 'file'; file: string; is_made: true; readable: boolean; size: number; mode: number };

export type DatabaseFacts =
  /** The embedded one of a folder that holds none yet. */
  | { kind: 'embedded'; state: 'not_made' }
  /** `refusal` says why, and what to do. */
  | { kind: 'embedded' | 'external'; state: 'unreachable'; refusal: string }
  | ReachableFacts;

export interface ReachableFacts {
  kind: 'embedded' | 'external';
  state: 'reachable';
  /** By a running store, beside which we look; of an external one we cannot tell. */
  runs_already: boolean;
  /** As PostgreSQL counts: 180002 is 18.2. */
  server_version_num: number;
  encoding: string;
  /** Whether the user may make tables. */
  may_create: boolean;
  /** Whether pg_trgm is installed, or can be. */
  has_trigrams: boolean;
  /** Connections that ordinary users may hold in all. */
  connection_limit: number;
  applied_migrations: number;
  pending_migrations: readonly string[];
  unknown_migrations: readonly string[];
  clock: ClockFacts;
}

/** Moments in milliseconds since 1970. */
export interface ClockFacts {
  /** Of this process, halfway between asking the database for its time and hearing it. */
  process_at: number;
  database_at: number;
  /** How long the answer took: the skew is known no better than by half of it. */
  round_trip_ms: number;
  /** When the last migration was run, by the clock of then; null when none was. */
  last_migration_at: number | null;
}
