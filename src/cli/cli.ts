import type { Readable } from 'node:stream';
import { CommanderError, type Command } from 'commander';
import { describeFailure } from './failures';

/** The environment and streams of a command; tests pass their own. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { isTTY?: boolean };
  /** Results only: text, or one JSON document. */
  readonly stdout: Output;
  /** Everything else: messages, progress and the log. */
  readonly stderr: Output;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  /** Of a stream, whose `write` returns false until `drain`. */
  once?(event: 'drain', listener: () => void): unknown;
}

/** The result of a command. */
export interface Report {
  /** Null if the command has written its result to stdout. */
  text: string | null;
  /** The same result as JSON, printed with --json. */
  json: object;
  /** Whether the command found problems: exit code 1. */
  failed?: boolean;
}

/** What the declaration of a command needs. */
export interface Cli {
  readonly io: Io;
  /** Runs a command, prints its report or its error, and sets the exit code. */
  run(options: { json?: boolean }, work: () => Promise<Report>): Promise<void>;
}

export const EXIT_CODES = { ok: 0, failed: 1, misuse: 2 } as const;

/** Creates the context of all commands. @param finish receives the exit code */
export function createCli(io: Io, finish: (code: number) => void): Cli {
  const run: Cli['run'] = async ({ json = false }, work) => {
    try {
      const report = await work();
      const text = json && report.text !== null ? JSON.stringify(report.json, null, 2) : report.text;
      if (text !== null) io.stdout.write(`${text}\n`);
      finish(report.failed === true ? EXIT_CODES.failed : EXIT_CODES.ok);
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      const { message, errors } = describeFailure(error);
      io.stderr.write(`${message}\n`);
      if (json)
        io.stdout.write(`${JSON.stringify({ error: message, ...(errors && { errors }) }, null, 2)}\n`);
      finish(EXIT_CODES.failed);
    }
  };
  return { io, run };
}

/** Adds a command to `parent`; `codes` completes "Exit codes: 0" in its help. */
export function addCommand(
  parent: Command,
  name: string,
  { summary, about = '', codes = '' }: CommandHelp,
): Command {
  return parent
    .command(name)
    .summary(summary)
    .description(about === '' ? `${summary}.` : `${summary}. ${about}`)
    .option('--json', 'print the result as one JSON document')
    .addHelpText('after', `\nExit codes: 0 ${codes === '' ? 'success, 1 failure' : codes}, 2 usage error.`);
}

interface CommandHelp {
  /** One line, without a full stop. */
  summary: string;
  /** Further sentences for the command's help. */
  about?: string;
  codes?: string;
}
