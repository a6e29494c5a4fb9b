import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildFunctionSet, type FunctionSet } from '../src/platform/database/migrations/functions';
import { migrations } from '.';

const FOLDER = path.join(__dirname, 'functions');

/** The functions and triggers of the database, as `functions/*.sql` define them. Read once. */
export const functionSet: FunctionSet = buildFunctionSet(
  readdirSync(FOLDER)
    .toSorted()
    .map((name) => readFileSync(path.join(FOLDER, name), 'utf8')),
  migrations.map(({ name }) => name),
);
