/** `problem`: the store does not work correctly. `warning`: it works, but should be checked. */
export type Severity = 'ok' | 'warning' | 'problem';

export type Subject =
  | 'program'
  | 'settings'
  | 'configuration'
  | 'database'
  | 'connection'
  | 'replica'
  | 'migrations'
  | 'clock'
  | 'payments'
  | 'storage'
  | 'mail'
  | 'worker'
  | 'public url'
  | 'metrics'
  | 'traces'
  | 'secret key'
  | 'port';

/** One result of the doctor. */
export interface Finding {
  subject: Subject;
  severity: Severity;
  /** What was found, without a full stop. Contains no secrets. */
  message: string;
  /** What to do; null if nothing. */
  advice: string | null;
}

export function ok(subject: Subject, message: string): Finding {
  return { subject, severity: 'ok', message, advice: null };
}

export function warning(subject: Subject, message: string, advice: string): Finding {
  return { subject, severity: 'warning', message, advice };
}

export function problem(subject: Subject, message: string, advice: string): Finding {
  return { subject, severity: 'problem', message, advice };
}

/** Converts a startup error (`what happened; what to do`) to a problem. */
export function refusal(subject: Subject, text: string): Finding {
  const at = text.search(/[;:] /);
  return at === -1 ? problem(subject, text, text) : problem(subject, text.slice(0, at), text.slice(at + 2));
}
