import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Figures } from './load';

/** One line of the report. */
export interface Measured extends Figures {
  name: string;
  /** What `rate` counts. */
  unit: string;
  /** The rate as a share of a limit measured in the same run, and what was aimed at. */
  compared?: { with: string; ratio: number; aim?: number };
  /** SQL statements one of them costs. */
  statements?: number;
  /** Of the server's process afterwards, in MiB. */
  memory?: number;
}

/** What is said in words rather than in rates. */
export interface Finding {
  name: string;
  value: string;
}

/** Everything one run found; written as JSON, so every value in it is plain. */
export interface Report {
  command: string;
  at: string;
  machine: { cpu: string; cores: number; memory_gib: number; node: string };
  sections: { title: string; measured: Measured[]; findings: Finding[] }[];
}

/** A report without measurements yet: the machine, and what was asked for. */
export function newReport(argv: readonly string[]): Report {
  return {
    command: ['npm run bench', ...(argv.length > 0 ? ['--', ...argv] : [])].join(' '),
    at: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
      cores: os.availableParallelism(),
      memory_gib: Math.round(os.totalmem() / 1024 ** 3),
      node: process.version,
    },
    sections: [],
  };
}

/** Starts a section of the report, and prints each of its lines as it comes. */
export function openSection(report: Report, title: string) {
  const section: Report['sections'][number] = { title, measured: [], findings: [] };
  report.sections.push(section);
  print(`\n${title}\n${HEADINGS}`);
  return {
    measured: (line: Measured): void => {
      section.measured.push(line);
      print(rowOf(line));
    },
    found: (name: string, value: string): void => {
      section.findings.push({ name, value });
      print(`  ${name}: ${value}`);
    },
  };
}

export type Section = ReturnType<typeof openSection>;

/** Writes the report beside earlier ones. @returns the file */
export function saveReport(report: Report): string {
  const folder = path.join(__dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${report.at.replace(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const WIDTHS = [46, 16, 9, 9, 9, 6, 8] as const;
const HEADINGS = columns(['', 'a second', 'mean ms', 'p50', 'p99', 'SQL', 'MiB']);

function rowOf(line: Measured): string {
  const { name, unit, rate, mean, p50, p99, statements, memory, compared } = line;
  const cells = [
    name,
    `${short(rate)} ${unit}`,
    ...[mean, p50, p99].map(short),
    statements?.toString() ?? '',
    memory?.toString() ?? '',
  ];
  const aim = compared?.aim === undefined ? '' : `, aim ${compared.aim}`;
  const ratio = compared === undefined ? '' : `  ${compared.ratio.toFixed(2)} of ${compared.with}${aim}`;
  return columns(cells) + ratio;
}

function columns(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[at] ?? 8)))
    .join('');
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
