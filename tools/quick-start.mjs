// How a built package starts: this function is put, as it stands, into every entry that `tools/build.mjs` writes
// for Node. Most of what a start costs is compiling, so a chunk is given to V8 with what V8 made of it before.
// An entry that imports nothing is itself loaded faster: what this needs it asks the process for.

/**
 * Loads a chunk and those it asks for. Chunks have a hash of their content in their names, because V8
 * compares no more than the length of a source with what it kept of it.
 */
export function quickStart(folder, entryChunk) {
  const builtin = process.getBuiltinModule;
  const { env, execPath } = process;
  let nodeRequire;
  const requireAsNode = (id) => {
    nodeRequire ??= builtin('node:module').createRequire(`${folder}/${entryChunk}`);
    return nodeRequire(id);
  };
  // Coverage and source maps are for what Node loads itself.
  if (env.NODE_V8_COVERAGE || process.sourceMapsEnabled) return requireAsNode(`./${entryChunk}`);

  const fs = builtin('node:fs');
  const { Script } = builtin('node:vm');
  // One instance of each chunk, whichever entry asks first. A server calls what is to `keep` of each.
  const MODULES = Symbol.for('@tincan/modules');
  process[MODULES] ??= new Map();
  const modules = process[MODULES];
  // Another build of the same version may have another heap, and V8 would not notice: its size tells.
  const { size } = fs.statSync(execPath, { throwIfNoEntry: false }) ?? {};
  const build = `${process.version}-${process.platform}-${process.arch}-${size}`;
  return load(entryChunk);

  function load(name) {
    const file = `${folder}/${name}`;
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {}, keep: undefined };
    modules.set(file, module);
    const run = compile(file, module).runInThisContext();
    run(module.exports, requireFrom, module, file, folder);
    return module.exports;
  }

  function requireFrom(id) {
    return id.startsWith('./') ? load(id.slice(2)) : (builtin(id) ?? requireAsNode(id));
  }

  function compile(file, module) {
    const cacheFile = `${file}.${build}.cache`;
    const isCached = !env.NODE_DISABLE_COMPILE_CACHE;
    const cachedData = isCached ? readCache(cacheFile) : undefined;
    // The build writes nothing but ASCII, which makes for half the string.
    const source = fs.readFileSync(file, 'utf8');
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
    const script = new Script(wrapped, { filename: file, cachedData });
    // What V8 refuses, under other flags say, is good for others and stays.
    if (isCached && cachedData === undefined) {
      module.keep = () => {
        module.keep = undefined;
        writeCache(cacheFile, script);
      };
    }
    return script;
  }

  /** V8 trusts what it is given, to the point of a crash. Two copies that are equal are whole. */
  function readCache(file) {
    try {
      const copies = fs.readFileSync(file);
      const half = copies.length / 2;
      const data = copies.subarray(0, half);
      return half > 0 && data.equals(copies.subarray(half)) ? data : undefined;
    } catch {
      return undefined;
    }
  }

  function writeCache(file, script) {
    const unfinished = `${file}.${process.pid}`;
    try {
      // Opened first: where nothing can be written, nothing is made.
      const descriptor = fs.openSync(unfinished, 'wx');
      const data = script.createCachedData();
      fs.writeFileSync(descriptor, Buffer.concat([data, data]));
      fs.closeSync(descriptor);
      fs.renameSync(unfinished, file);
    } catch {
      // An installation that cannot be written to: every start compiles.
      try {
        fs.unlinkSync(unfinished);
      } catch {}
    }
  }
}
