import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { InvalidResource } from '../platform/errors';
import { toFieldErrors } from '../platform/http/field-errors';
import type { Io } from './cli';
import { CommandRefused } from './failures';

/** Parses input with the schema of a request body. @throws InvalidResource */
export function parseInput<S extends z.ZodType & { wrapper: string }>(schema: S, value: object): z.output<S> {
  const parsed = schema.safeParse({ [schema.wrapper]: value });
  if (!parsed.success) throw new InvalidResource(toFieldErrors(parsed.error.issues, schema.wrapper));
  return parsed.data;
}

/**
 * Builds a parser for an option with a whole number from 1 to `max`. The parser throws InvalidArgumentError (a usage
 * error).
 */
export function parseWholeNumber(max: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > max)
      throw new InvalidArgumentError(`Must be a whole number from 1 to ${max}.`);
    return Number(text);
  };
}

/** Reads a password: the first line of stdin. On a terminal, prompts twice without echo. @throws CommandRefused */
export async function readPassword({ stdin, stderr }: Io): Promise<string> {
  const isTerminal = stdin.isTTY === true;
  // In raw mode a terminal shows only what the reader echoes; discard the echo.
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: discarded, terminal: isTerminal });
  reader.once('SIGINT', () => reader.close());
  try {
    const lines = reader[Symbol.asyncIterator]();
    const readLine = async (prompt: string): Promise<string> => {
      if (isTerminal) stderr.write(prompt);
      const line = await lines.next();
      if (isTerminal) stderr.write('\n');
      if (line.done === true) throw new CommandRefused('the input is empty; enter a value');
      return line.value;
    };
    const password = await readLine('Password: ');
    if (isTerminal && (await readLine('Repeat password: ')) !== password)
      throw new CommandRefused('the passwords do not match; retry');
    return password;
  } finally {
    reader.close();
  }
}
