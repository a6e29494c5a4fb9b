import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Figures } from './load';

/** One line of the report. */
export interface Measured extends Figures {
  name: string;
  /** What `rate` counts. */
  unit: string;
  /** The rate as a share of a baseline from the same run, and the target share. */
  compared?: { with: string; ratio: number; target?: number };
  /** SQL statements per request or order. */
  statements?: number;
  /** Memory of the server process afterwards, in MiB. */
  memory?: number;
}

/** A result in words instead of rates. */
export interface Finding {
  name: string;
  value: string;
}

/** The results of one run. Contains only plain values, because it is written as JSON. */
export interface Report {
  command: string;
  at: string;
  machine: { cpu: string; cores: number; memory_gib: number; node: string };
  sections: { title: string; measured: Measured[]; findings: Finding[] }[];
}

/** Creates a report with the machine and the command, without measurements. */
export function createReport(argv: readonly string[]): Report {
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

/** Starts a section of the report and prints each line when it is added. */
export function openSection(report: Report, title: string) {
  const section: Report['sections'][number] = { title, measured: [], findings: [] };
  report.sections.push(section);
  print(`\n${title}\n${HEADINGS}`);
  return {
    addMeasurement: (line: Measured): void => {
      section.measured.push(line);
      print(formatRow(line));
    },
    addFinding: (name: string, value: string): void => {
      section.findings.push({ name, value });
      print(`  ${name}: ${value}`);
    },
  };
}

export type Section = ReturnType<typeof openSection>;

/** Writes the report to bench/results. @returns the path of the file */
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

const WIDTHS = [52, 16, 9, 9, 9, 11, 9, 6, 8] as const;
const HEADINGS = formatColumns([
  ...['', 'per second', 'mean ms', 'p50', 'p99', 'CPU store', 'CPU PG', 'SQL', 'MiB'],
]);

function formatRow(line: Measured): string {
  const { name, unit, rate, mean, p50, p99, cpu, statements, memory, compared } = line;
  const cells = [
    name,
    `${formatNumber(rate)} ${unit}`,
    ...[mean, p50, p99].map(formatNumber),
    ...[cpu?.server, cpu?.postgres].map((ms) => (ms == null ? '' : ms.toFixed(2))),
    statements?.toString() ?? '',
    memory?.toString() ?? '',
  ];
  const target = compared?.target === undefined ? '' : `, target ${compared.target}`;
  const ratio = compared === undefined ? '' : `  ${compared.ratio.toFixed(2)} of ${compared.with}${target}`;
  return formatColumns(cells) + ratio;
}

function formatColumns(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[at] ?? 8)))
    .join('');
}

function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
