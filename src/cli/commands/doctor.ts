import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../../config';
import { leaf, type Cli, type Io, type Report } from '../cli';
import { examine } from '../doctor/examine';
import { problem, type Finding } from '../doctor/finding';
import { findingsOf } from '../doctor/findings';
import { toolLog } from '../open-store';

/** `store doctor`: whether the store can run here, and what to do when not. */
export function addDoctor(program: Command, cli: Cli): void {
  leaf(program, 'doctor', {
    summary: 'Check configuration, database, migrations, clock, storage, secret key and port',
    about:
      'Says what to do about each that is not as it should be. Changes nothing; safe beside a running store.',
    codes: 'nothing must be done (warnings may be), 1 something must',
  }).action((options: { json?: boolean }) => cli.report(options, () => examineStore(cli.io)));
}

async function examineStore(io: Io): Promise<Report> {
  const findings = await findingsFor(io);
  const failed = findings.some(({ severity }) => severity === 'problem');
  return { json: { ok: !failed, findings }, text: findings.map(describe).join('\n'), failed };
}

/** Without settings there is nothing else to look at. */
async function findingsFor(io: Io): Promise<Finding[]> {
  try {
    return findingsOf(await examine(loadConfig(io.env), toolLog()));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      problem('configuration', error.message, 'correct the environment; README.md tells of every variable'),
    ];
  }
}

function describe({ severity, subject, message, advice }: Finding): string {
  const line = `${severity.padEnd(7)}  ${subject.padEnd(13)}  ${message}`;
  return advice === null ? line : `${line}\n${' '.repeat(24)}-> ${advice}`;
}
