import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../../config';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { examine } from '../doctor/examine';
import { problem, type Finding } from '../doctor/finding';
import { evaluateFacts } from '../doctor/findings';
import { createCommandLog } from '../open-store';

/** Adds `store doctor`, which reports whether the store can run and how to fix problems. */
export function addDoctor(program: Command, cli: Cli): void {
  addCommand(program, 'doctor', {
    summary: 'Check configuration, database, migrations, clock, storage, mail, secret key and port',
    about: 'Reports problems and how to fix them. Changes nothing; safe while the store is running.',
    codes: 'no problems (there may be warnings), 1 problems found',
  }).action((options: { json?: boolean }) => cli.run(options, () => examineStore(cli.io)));
}

async function examineStore(io: Io): Promise<Report> {
  const findings = await collectFindings(io);
  const failed = findings.some(({ severity }) => severity === 'problem');
  return { json: { ok: !failed, findings }, text: findings.map(formatFinding).join('\n'), failed };
}

/** Collects all findings; with an invalid configuration, only that one. */
async function collectFindings(io: Io): Promise<Finding[]> {
  try {
    return evaluateFacts(await examine(loadConfig(io.env), io.env, createCommandLog()));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      problem('configuration', error.message, 'correct the environment variables; README.md describes them'),
    ];
  }
}

function formatFinding({ severity, subject, message, advice }: Finding): string {
  const line = `${severity.padEnd(7)}  ${subject.padEnd(13)}  ${message}`;
  return advice === null ? line : `${line}\n${' '.repeat(24)}-> ${advice}`;
}
