import { isError, readErrorCode } from '../error-code';

/** A known cause of a failed connection. */
interface Problem {
  /** SQLSTATE, or the code of Node.js or OpenSSL. */
  code?: RegExp;
  /** In the message, if the code does not suffice. */
  message?: RegExp;
  /** Completes "The database …": what is wrong, and what to do after a colon. */
  text: string;
}

const UNKNOWN_AUTHORITY =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/;

/** In the order in which they are looked up. */
const PROBLEMS: readonly Problem[] = [
  {
    code: /^53300$/,
    text: 'accepts no more connections: raise its max_connections, or lower DATABASE_POOL_SIZE, WORKERS or the number of instances',
  },
  {
    message: /no more connections allowed|max_client_conn/,
    text: 'is behind a pooler that accepts no more connections: raise its max_client_conn, or lower DATABASE_POOL_SIZE',
  },
  {
    message: /does not support SSL/,
    text: 'has TLS switched off: remove sslmode from DATABASE_URL, or set ssl = on in PostgreSQL',
  },
  {
    code: UNKNOWN_AUTHORITY,
    text: 'has a certificate of an unknown authority: add sslrootcert=FILE to DATABASE_URL, or set NODE_EXTRA_CA_CERTS to the file with the certificate of the authority',
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    text: 'has a certificate for another host name: use the name of the certificate in DATABASE_URL',
  },
  {
    code: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    text: 'has a certificate that is not valid today: renew it, or correct the clock of this machine',
  },
  {
    code: /^28000$/,
    message: /pg_hba\.conf.*(no encryption|SSL off)/,
    text: 'refuses unencrypted connections of this user from this machine: add sslmode=verify-full to DATABASE_URL, or allow them in pg_hba.conf',
  },
  {
    code: /^28000$/,
    message: /pg_hba\.conf/,
    text: 'refuses this user from this machine: allow both in its pg_hba.conf',
  },
  {
    code: /^42501$/,
    message: /permission denied for database/,
    text: 'does not let this user connect: GRANT CONNECT on it',
  },
  {
    code: /^57P03$/,
    text: 'is still starting or recovering: wait and retry, and see its log',
  },
  {
    code: /^(ENOTFOUND|EAI_AGAIN)$/,
    text: 'has a host name that cannot be resolved: correct the host in DATABASE_URL, or the name service',
  },
  {
    code: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    text: 'does not respond: check the host and port of DATABASE_URL, and the firewall between',
  },
  {
    message: /timeout expired|Connection terminated due to connection timeout|Query read timeout/,
    text: 'does not respond: check the host and port of DATABASE_URL, and the firewall between',
  },
];

/** Explains a failed connection whose cause is known, as "The database … : what to do"; null for other errors. */
export function explainConnectProblem(error: unknown, server?: string): string | null {
  if (!isError(error)) return null;
  const name = server === undefined ? 'The database' : `The database at ${server}`;
  const file = findMissingCertificate(error);
  if (file !== null)
    return `The certificate file ${file} of DATABASE_URL cannot be read: correct sslrootcert, sslcert or sslkey`;
  const code = readErrorCode(error) ?? '';
  const found = PROBLEMS.find(
    (problem) =>
      (problem.code === undefined || problem.code.test(code)) &&
      (problem.message === undefined || problem.message.test(error.message)),
  );
  return found === undefined ? null : `${name} ${found.text}`;
}

/** The driver reads the files of the URL when it parses it. */
function findMissingCertificate(error: Error): string | null {
  const { syscall, path }: Record<string, unknown> = { ...error };
  return syscall === 'open' && typeof path === 'string' ? path : null;
}
