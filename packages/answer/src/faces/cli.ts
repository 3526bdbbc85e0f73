import type { Answerer } from '../answer/answerer.ts';
import { AnswerError } from '../answer-error.ts';
import type { Assignment } from '../config/assignment.ts';
import type { AnswerConfig } from '../config/config.ts';
import { ConfigError, describeIssue } from '../config/config-error.ts';
import type { Environment } from '../config/environment-layer.ts';
import { type ParsedFlags, readFlagLayer } from '../config/flag-layer.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import type { DemoUpstream } from '../demo/upstream.ts';
import { redact } from '../redact.ts';
import type { MemoryNotes } from './memory-notes.ts';
import { serveAnswers } from './serve.ts';
import { createStderrLogger } from './stderr-logger.ts';

/** The world as the command sees it. */
export interface CliWorld {
  readonly env: Environment;
  readonly home: string;
  readonly version: string;
  /** The program and arguments that start this command again. */
  readonly self: readonly [string, ...string[]];
  readFile(path: string): Promise<string>;
  out(text: string): void;
  err(text: string): void;
  /** Resolves when the user wants to stop. */
  interrupted(): Promise<void>;
}

const switches = [
  '--stdio',
  '--show-config',
  '--check',
  '--demo',
  '--json',
  '--fresh',
  '--help',
  '-h',
  '--version',
  '-v',
];

/** Runs the command and gives its exit code; with `--stdio` the process ends inside. */
export async function runAnswerCli(argv: readonly string[], given: CliWorld): Promise<number> {
  // Messages quote what was typed, which may be a key.
  const world: CliWorld = { ...given, err: (text) => given.err(redact(text)) };
  const { tool, rest } = takeTool(argv);
  const flags = readFlagLayer(rest, switches);
  const has = (...names: readonly string[]): boolean =>
    names.some((name) => flags.switches.has(name));
  const [verb, ...words] = flags.words;
  if (has('--version', '-v')) {
    world.out(`${world.version}\n`);
    return 0;
  }
  if (has('--help', '-h') || argv.length === 0 || verb === 'help') {
    const { helpText } = await import('./help.ts');
    world.out(helpText(world.version));
    return 0;
  }
  if (verb !== undefined && verb !== 'ask' && verb !== 'smoke') {
    world.err(`unknown command \`${verb}\`; try --help\n`);
    return 1;
  }
  const demo = has('--demo') ? await startDemo() : undefined;
  try {
    const loaded = await load(flags, world, demo?.baseUrl);
    const job = { loaded, world, isJson: has('--json') };
    if (has('--stdio')) return await serve(job, has('--show-config'));
    for (const issue of loaded.warnings) world.err(`warning: ${describeIssue(issue)}\n`);
    if (has('--show-config')) return await show(job);
    if (has('--check')) return await check(job);
    if (verb === 'smoke') {
      const argv = rest.filter((word) => !flags.words.includes(word));
      return await runSmoke(job, argv, words.join(' '));
    }
    if (verb === 'ask')
      return await ask(job, { tool, query: words.join(' '), fresh: has('--fresh') });
    if (demo !== undefined) return await idle(demo.baseUrl, world);
    world.err('nothing to do; try --help\n');
    return 1;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    world.err(`${error.message}\n`);
    return 1;
  } finally {
    await demo?.close();
  }
}

interface Job {
  readonly loaded: LoadedConfig;
  readonly world: CliWorld;
  readonly isJson: boolean;
}

function load(flags: ParsedFlags, world: CliWorld, demoUrl?: string): Promise<LoadedConfig> {
  const origin = { from: 'flag', name: '--demo' } as const;
  const isDemo = demoUrl !== undefined;
  // Made-up answers are not worth remembering, unless a flag says otherwise.
  const before: Assignment[] = isDemo ? [{ path: 'cache.enabled', value: false, origin }] : [];
  const after: Assignment[] = isDemo ? [{ path: 'openai.base_url', value: demoUrl, origin }] : [];
  return loadConfig({
    env: world.env,
    home: world.home,
    flags: { assignments: [...before, ...flags.assignments, ...after], issues: flags.issues },
    readFile: world.readFile,
    ...(flags.configFile !== undefined && { configFile: flags.configFile }),
  });
}

/** Loads what answers questions; everything heavy hangs on this. */
async function openAnswerer({ loaded: { config }, world }: Job): Promise<Answerer> {
  const [{ createAnswerer }, { cacheDirectory }] = await Promise.all([
    import('../answer/answerer.ts'),
    import('../node-files.ts'),
  ]);
  const cacheHome = world.env['XDG_CACHE_HOME'] || `${world.home}/.cache`;
  const notes = await openNotes(config, world.env);
  const answerer = createAnswerer(config, {
    env: world.env,
    logger: loggerFor(config.server, world),
    cacheDirectory: cacheDirectory(config.cache.dir ?? `${cacheHome}/tincan/answer`),
    ...(notes !== undefined && { onAnswer: notes.add }),
  });
  return notes === undefined ? answerer : closingBoth(answerer, notes);
}

async function openNotes(config: AnswerConfig, env: Environment): Promise<MemoryNotes | undefined> {
  const { command, project, group } = config.memory;
  if (command === null) return undefined;
  const { createMemoryNotes } = await import('./memory-notes.ts');
  // Our key is no business of another program.
  const others = Object.entries(env).filter(([name]) => name !== config.openai.apiKeyEnv);
  return createMemoryNotes({ command, project, group, env: Object.fromEntries(others) });
}

/** The memory server outlives the last answer, which it is still to be given. */
function closingBoth(answerer: Answerer, notes: MemoryNotes): Answerer {
  const close = async (): Promise<void> => {
    await answerer.close();
    await notes.close();
  };
  const { ask, totals } = answerer;
  return {
    ask,
    totals,
    close,
    get inFlight() {
      return answerer.inFlight;
    },
    [Symbol.asyncDispose]: close,
  };
}

function loggerFor(
  { debug, debugFile }: LoadedConfig['config']['server'],
  world: CliWorld,
): ReturnType<typeof createStderrLogger> {
  return createStderrLogger({ debug, file: debug ? debugFile : null, write: world.err });
}

async function serve(job: Job, isShown: boolean): Promise<never> {
  const { loaded, world } = job;
  const logger = loggerFor(loaded.config.server, world);
  for (const issue of loaded.warnings) logger.warn(describeIssue(issue));
  if (isShown || loaded.config.server.showConfigOnStart) {
    const { showConfig } = await import('../config/show-config.ts');
    world.err(`${JSON.stringify(showConfig(loaded, world.version), null, 2)}\n`);
  }
  return serveAnswers({
    version: world.version,
    config: loaded.config,
    open: () => openAnswerer(job),
    logger,
    report: world.err,
  });
}

async function show({ loaded, world, isJson }: Job): Promise<number> {
  const { renderConfig, showConfig } = await import('../config/show-config.ts');
  const shown = showConfig(loaded, world.version);
  world.out(isJson ? `${JSON.stringify(shown, null, 2)}\n` : renderConfig(shown));
  return 0;
}

/** Each thing that can be wrong has an exit code of its own; 1 is the configuration. */
const checkCodes = { key: 2, endpoint: 3, model: 4, search: 5 } as const;

async function check({ loaded, world, isJson }: Job): Promise<number> {
  const { checkSetup } = await import('../answer/check-setup.ts');
  const steps = await checkSetup(loaded.config, { env: world.env });
  if (isJson) world.out(`${JSON.stringify({ file: loaded.file ?? null, steps }, null, 2)}\n`);
  else {
    world.out(`ok    config    ${loaded.file ?? 'defaults, no file'}\n`);
    for (const { name, ok, detail } of steps) {
      const mark = ok === undefined ? '-' : ok ? 'ok' : 'FAIL';
      world.out(`${mark.padEnd(6)}${name.padEnd(10)}${detail}\n`);
    }
  }
  const bad = steps.find(({ ok }) => ok === false);
  return bad === undefined ? 0 : checkCodes[bad.name];
}

async function ask(
  job: Job,
  options: { readonly tool: string; readonly query: string; readonly fresh: boolean },
): Promise<number> {
  const { tool, query, fresh } = options;
  const { world, isJson, loaded } = job;
  const answerer = await openAnswerer(job);
  const stop = new AbortController();
  void world.interrupted().then(() => stop.abort());
  try {
    const onProgress = ({ message }: { readonly message: string }): void =>
      world.err(`… ${message}\n`);
    const args = { query, ...(fresh && { fresh }) };
    const result = await answerer.ask(tool, args, { signal: stop.signal, onProgress });
    world.out(`${isJson ? JSON.stringify(result, null, 2) : result.answer}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    const hint = error.hint === undefined ? '' : `\n${error.hint}`;
    world.err(`${error.kind}: ${error.message}${hint}\n`);
    return 1;
  } finally {
    await answerer.close();
    if (loaded.config.server.usageOnExit) world.err(`${JSON.stringify(answerer.totals())}\n`);
  }
}

async function runSmoke({ world }: Job, argv: readonly string[], query: string): Promise<number> {
  const { smoke } = await import('./smoke.ts');
  const [command, ...self] = world.self;
  const isWell = await smoke({
    command,
    args: [...self, '--stdio', ...argv],
    env: world.env,
    query: query || 'What does HTTP status 404 mean?',
    print: (line) => world.out(`${line}\n`),
  });
  return isWell ? 0 : 1;
}

async function idle(baseUrl: string, world: CliWorld): Promise<number> {
  world.out(`demo upstream at ${baseUrl}; stop with Ctrl-C\n`);
  await world.interrupted();
  return 0;
}

async function startDemo(): Promise<DemoUpstream> {
  const { startDemoUpstream } = await import('../demo/upstream.ts');
  return startDemoUpstream();
}

/** `--tool` belongs to `ask` alone, so it is no setting. */
function takeTool(argv: readonly string[]): {
  readonly tool: string;
  readonly rest: readonly string[];
} {
  const at = argv.findIndex((word) => word === '--tool' || word.startsWith('--tool='));
  const word = argv[at];
  if (word === undefined) return { tool: 'answer', rest: argv };
  const isInline = word.startsWith('--tool=');
  const tool = isInline ? word.slice('--tool='.length) : (argv[at + 1] ?? '');
  return { tool, rest: argv.toSpliced(at, isInline ? 1 : 2) };
}
