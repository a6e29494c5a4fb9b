/** `problem`: something must be done. `warning`: it works, and somebody should know. */
export type Severity = 'ok' | 'warning' | 'problem';

export type Subject =
  'program' | 'configuration' | 'database' | 'migrations' | 'clock' | 'storage' | 'secret key' | 'port';

/** What the doctor says of one thing. */
export interface Finding {
  subject: Subject;
  severity: Severity;
  /** What is, in one sentence without a full stop. Holds no secret. */
  message: string;
  /** What to do; null when nothing is to be done. */
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

/** A refusal of the program's own, `what is: what to do`, as a problem. */
export function refusal(subject: Subject, text: string): Finding {
  const at = text.indexOf(': ');
  return at === -1 ? problem(subject, text, text) : problem(subject, text.slice(0, at), text.slice(at + 2));
}
