import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { InvalidResource } from '../platform/errors';
import { fieldErrors } from '../platform/http/field-errors';
import type { Io } from './cli';
import { CommandRefused } from './failures';

/** Checks what was typed as a request's body is checked. @throws InvalidResource */
export function checked<S extends z.ZodType & { wrapper: string }>(schema: S, value: object): z.output<S> {
  const parsed = schema.safeParse({ [schema.wrapper]: value });
  if (!parsed.success) throw new InvalidResource(fieldErrors(parsed.error.issues, schema.wrapper));
  return parsed.data;
}

/** Reads an option's value. @throws InvalidArgumentError, which is a misuse */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > most)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return Number(text);
  };
}

/** The first line of stdin; in a terminal it is asked for twice, and not shown. @throws CommandRefused */
export async function readSecret({ stdin, stderr }: Io, name: string): Promise<string> {
  const isTerminal = stdin.isTTY === true;
  // A terminal in raw mode shows only what the reader echoes, which goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: isTerminal });
  reader.once('SIGINT', () => reader.close());
  try {
    const lines = reader[Symbol.asyncIterator]();
    const ask = async (prompt: string): Promise<string> => {
      if (isTerminal) stderr.write(prompt);
      const line = await lines.next();
      if (isTerminal) stderr.write('\n');
      if (line.done === true) throw new CommandRefused('Nothing was entered');
      return line.value;
    };
    const secret = await ask(`${name}: `);
    if (isTerminal && (await ask('Once more: ')) !== secret)
      throw new CommandRefused('The two are not the same');
    return secret;
  } finally {
    reader.close();
  }
}
