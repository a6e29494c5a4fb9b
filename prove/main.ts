/**
 * Proves on a fresh database that nothing is lost or done twice when the processes of a store are killed under load
 * (`npm run prove`). Everything runs on 127.0.0.1 in a temporary folder, which is removed at the end. Exit code 1: a claim
 * does not hold.
 */
import { parseOptions } from './options';
import { prove, type Proof } from './prove';

/** How many breaches of a claim are printed. */
const LISTED = 10;

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  print(`seed ${options.seed}`);
  const proof = await prove(options, print, (stage) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void stage.stop().then(() => process.exit(130)));
  });
  process.exitCode = printProof(proof) ? 0 : 1;
}

/** @returns whether all claims hold */
function printProof({ claims, figures }: Proof): boolean {
  const width =
    Math.max(...figures.map(([name]) => name.length), ...claims.map(({ name }) => name.length)) + 2;
  print('');
  for (const [name, value] of figures) print(`${name.padEnd(width)}${value}`);
  print('');
  for (const { name, checked, breaches } of claims) {
    print(
      `${name.padEnd(width)}${breaches.length === 0 ? `holds (${checked})` : `BROKEN ${breaches.length} times`}`,
    );
    for (const breach of breaches.slice(0, LISTED)) print(`  ${breach}`);
  }
  return claims.every(({ breaches }) => breaches.length === 0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
