import path from 'node:path';
import type { TransformOptions } from '@jest/transform';
import { createTransformer } from '@swc/jest';
import { instrument } from './mutants';
import { isMutated } from './files';

const swc = createTransformer({
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
});

/** Compiles as jest.config.js does, but the mutated folders with all their mutants behind switches. */
function process(text: string, file: string, options: TransformOptions<unknown>) {
  const name = path.relative(options.config.rootDir, file).split(path.sep).join('/');
  const code = isMutated(name) ? instrument(name, text).code : text;
  return swc.process?.(code, file, options) ?? { code };
}

function getCacheKey(text: string, file: string, options: TransformOptions<unknown>): string {
  // The version of these mutants: increase it when mutants.ts changes.
  return `mutants 1 ${swc.getCacheKey?.(text, file, options) ?? ''}`;
}

export = { process, getCacheKey };
