import type { Readable } from 'node:stream';
import { CommanderError, type Command } from 'commander';
import { describeFailure } from './failures';

/** What a command talks to; tests hand in their own. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { isTTY?: boolean };
  /** Results only: text for people, or one JSON document. */
  readonly stdout: Output;
  /** Everything else: messages, progress, the log. */
  readonly stderr: Output;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** What a command has found or done. */
export interface Report {
  text: string;
  /** The same for programs, printed with --json. */
  json: object;
  /** Whether somebody has to do something about it: exit code 1. */
  failed?: boolean;
}

/** What the declarations of commands are made with. */
export interface Cli {
  readonly io: Io;
  /** Does the work of a command and prints its report, or why there is none. Decides the exit code. */
  report(options: { json?: boolean }, work: () => Promise<Report>): Promise<void>;
}

export const EXIT_CODES = { ok: 0, failed: 1, misuse: 2 } as const;

/** @param finish is told the exit code */
export function createCli(io: Io, finish: (code: number) => void): Cli {
  const report: Cli['report'] = async ({ json = false }, work) => {
    try {
      const done = await work();
      io.stdout.write(`${json ? JSON.stringify(done.json, null, 2) : done.text}\n`);
      finish(done.failed === true ? EXIT_CODES.failed : EXIT_CODES.ok);
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      const { message, errors } = describeFailure(error);
      io.stderr.write(`${message}\n`);
      if (json)
        io.stdout.write(`${JSON.stringify({ error: message, ...(errors && { errors }) }, null, 2)}\n`);
      finish(EXIT_CODES.failed);
    }
  };
  return { io, report };
}

/** A command that does something, below `parent`; `codes` completes "Exit codes: 0" for its help. */
export function leaf(parent: Command, name: string, { summary, about = '', codes = '' }: LeafText): Command {
  return parent
    .command(name)
    .summary(summary)
    .description(about === '' ? `${summary}.` : `${summary}. ${about}`)
    .option('--json', 'write the result as one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: 0 ${codes === '' ? 'done, 1 it could not be done' : codes}, 2 misuse.`,
    );
}

interface LeafText {
  /** One line, without a full stop. */
  summary: string;
  /** What else its help tells, in sentences. */
  about?: string;
  codes?: string;
}
