/**
 * Compiles the program into dist/, and knows whether that has to be done. Types are not checked here
 * (`npm run check` does), so the first start takes seconds.
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.built-from');

/** What the build depends on: any change of name, size or time of a source file changes it. Null without sources. */
function sourceState() {
  const folders = ['src', 'docs-content', 'migrations', 'seeds'].map((name) => path.join(root, name));
  if (!folders.every((folder) => fs.existsSync(folder))) return null;
  const sources = folders.flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const hash = createHash('sha256');
  for (const file of [
    ...sources.sort(),
    path.join(root, 'tsconfig.json'),
    path.join(root, 'tsconfig.build.json'),
  ]) {
    const { size, mtimeMs } = fs.statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Whether dist/ is what these sources compile to. A program shipped without sources is. */
function isBuilt() {
  const state = sourceState();
  if (state === null) return fs.existsSync(dist);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === state;
}

/**
 * Builds beside dist/ and swaps, so that a process starting meanwhile never sees half a build.
 * @throws Error with one line saying what to do
 */
function build() {
  const state = sourceState();
  const fresh = path.join(root, 'node_modules', '.cache', `build-${process.pid}`);
  fs.rmSync(fresh, { recursive: true, force: true });
  const { status } = spawnSync(
    process.execPath,
    [findCompiler(), '-p', 'tsconfig.build.json', '--outDir', fresh],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (status !== 0) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw new Error('The program could not be compiled: see the errors above');
  }
  fs.writeFileSync(path.join(fresh, path.basename(stamp)), state);
  swap(fresh);
}

function findCompiler() {
  try {
    return require.resolve('typescript/bin/tsc');
  } catch {
    throw new Error(
      'The program is not compiled and the compiler is not installed: run npm ci, then npm start',
    );
  }
}

function swap(fresh) {
  const old = `${fresh}.old`;
  try {
    if (fs.existsSync(dist)) fs.renameSync(dist, old);
    fs.renameSync(fresh, dist);
  } catch (error) {
    // Somebody else built at the same time; theirs is as good.
    if (!isBuilt()) throw error;
    fs.rmSync(fresh, { recursive: true, force: true });
  }
  fs.rmSync(old, { recursive: true, force: true });
}

module.exports = { build, isBuilt };

if (require.main === module) build();
