const path = require('node:path');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const TESTS = path.resolve(__dirname, '..') + path.sep;

/** Of test/, what depends on no test file: the validators of the replies, which take long to build. */
const SHARED = path.join(TESTS, 'support', 'documented.ts');

/** Of jest, what keeps the tests and hooks of a file. */
const STATE_OF_JEST = `${path.sep}jest-circus${path.sep}`;

const RESOLUTION = Object.freeze({ conditions: ['require', 'node', 'default', 'node-addons'] });

/** The source maps of the compiled modules of the worker, by file. */
const sourceMaps = new Map();

/**
 * Loads the program and the packages, those of jest too, once for all test files of a worker, with `require` of Node.js. Only what is
 * in test/ is loaded for each file anew, because the factories keep records of the file's database, and jest-circus. Requires
 * environment.ts.
 */
class WorkerRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const [, , resolver, transformer, , coverage, , { watch, watchAll }] = args;
    this.resolver = resolver;
    if (watch || watchAll) forgetProgram();
    // Jest reads the map during the tests.
    const maps = this.getSourceMaps();
    for (const [file, map] of sourceMaps) maps.set(file, map);
    require.extensions['.ts'] = (module, file) => compile(module, file, { transformer, coverage, maps });
    // Jest compiles only in the context of an environment.
    this.executor.compile = (source, filename) =>
      vm.compileFunction(source, this.executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  requireModule(from, name, options, isRequireActual) {
    const isOfJest = options?.isInternalModule === true;
    if (isOfJest && name === 'node:async_hooks') return { AsyncLocalStorage: CurrentContext };
    if (name === undefined || this.resolver.isCoreModule(name))
      return super.requireModule(from, name, options, isRequireActual);
    const file = this.resolver.resolveModule(from, name, RESOLUTION);
    const isOfFile = isOfJest ? file.includes(STATE_OF_JEST) : file.startsWith(TESTS) && file !== SHARED;
    return isOfFile ? super.requireModule(from, name, options, isRequireActual) : require(file);
  }
}

/**
 * Takes the place of AsyncLocalStorage, in which Jest notes the running test and hook. Before Node.js 24, a storage makes each promise
 * of its process slower, and Jest creates one for each file. Tests run one after the other (no `test.concurrent`), so a field is
 * enough; an error that a finished test throws late is reported for the running test.
 */
class CurrentContext {
  #context;

  getStore() {
    return this.#context;
  }

  /** Requires that `callback` returns a promise. */
  run(context, callback) {
    const outer = this.#context;
    const restore = () => {
      this.#context = outer;
    };
    this.#context = context;
    const done = callback();
    done.then(restore, restore);
    return done;
  }
}

/** Between two runs of a watching jest the sources change. */
function forgetProgram() {
  for (const file of Object.keys(require.cache)) if (file.endsWith('.ts')) delete require.cache[file];
}

function compile(module, file, { transformer, coverage, maps }) {
  const { code, sourceMapPath } = transformer.transform(file, {
    ...coverage,
    isInternalModule: false,
    supportsDynamicImport: true,
    supportsExportNamespaceFrom: false,
    supportsStaticESM: false,
    supportsTopLevelAwait: false,
  });
  if (sourceMapPath !== null) for (const known of [sourceMaps, maps]) known.set(file, sourceMapPath);
  module._compile(code, file);
}

module.exports = { __esModule: true, default: WorkerRuntime };
