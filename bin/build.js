/**
 * Compiles the program into dist/ if the sources have changed. Types are checked by `npm run check` and not here, so
 * that the first start takes only seconds.
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const root = path.resolve(__dirname, '..');
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.built-from');

/** Hashes the names, sizes and modification times of the sources. Null if there are no sources. */
function hashSources() {
  const folders = ['src', 'docs-content', 'migrations', 'seeds', 'web', 'client/src'].map((name) =>
    path.join(root, name),
  );
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

/** Whether dist/ is up to date. Without sources, as in the Docker image, it is if it exists. */
function isBuilt() {
  const state = hashSources();
  if (state === null) return fs.existsSync(dist);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === state;
}

/**
 * Builds in a temporary folder and then replaces dist/, so that a process that starts meanwhile never sees a partial
 * build.
 * @throws Error whose message says what to do
 */
function build() {
  const state = hashSources();
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
    throw new Error('compilation failed; see the errors above');
  }
  copyFiles(fresh);
  buildWeb(fresh);
  fs.writeFileSync(path.join(fresh, path.basename(stamp)), state);
  replaceDist(fresh);
}

/** Copies the files that the compiler does not: the guides, style and script of /docs, and SQL. */
function copyFiles(fresh) {
  const sql = 'src/sales/verify';
  for (const name of [
    'docs-content/guides',
    'docs-content/site/assets',
    'migrations/functions',
    'migrations/baseline.sql',
    ...fs
      .readdirSync(path.join(root, sql))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => path.join(sql, file)),
  ])
    fs.cpSync(path.join(root, name), path.join(fresh, name), { recursive: true });
}

/** Builds the shop and the back office: what browsers load, and what the server renders pages of the shop with. */
function buildWeb(fresh) {
  const vite = path.join(path.dirname(require.resolve('vite/package.json')), 'bin/vite.js');
  for (const [face, part, options] of [
    ['shop', 'client', []],
    ['shop', 'server', ['--ssr', 'server.tsx']],
    ['office', 'client', []],
  ]) {
    const out = path.join(fresh, 'web', face, part);
    const { status, stderr } = spawnSync(
      process.execPath,
      [vite, 'build', '-c', 'web/vite.config.mts', '--logLevel', 'error', '--outDir', out, ...options],
      { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production', FACE: face } },
    );
    if (status !== 0) throw new Error(`the ${face} cannot be built: ${stderr}`);
    if (part === 'client') compress(out);
  }
}

/** Puts compressed copies beside the files of a folder, which browsers get instead. */
function compress(folder) {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(file)) continue;
    const content = fs.readFileSync(file);
    fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }));
    fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content));
  }
}

function findCompiler() {
  const compiler = path.join(root, 'node_modules/typescript-7/bin/tsc');
  if (fs.existsSync(compiler)) return compiler;
  throw new Error(
    'the program is not compiled and the compiler is not installed; run npm ci, then npm start',
  );
}

function replaceDist(fresh) {
  const old = `${fresh}.old`;
  try {
    if (fs.existsSync(dist)) fs.renameSync(dist, old);
    fs.renameSync(fresh, dist);
  } catch (error) {
    // Another process has built the same sources at the same time.
    if (!isBuilt()) throw error;
    fs.rmSync(fresh, { recursive: true, force: true });
  }
  fs.rmSync(old, { recursive: true, force: true });
}

module.exports = { build, isBuilt };

if (require.main === module) build();
