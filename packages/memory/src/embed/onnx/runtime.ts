import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDataFolder } from '../local/data-folder.ts';
import { onnxError } from './onnx-error.ts';
import { assertOwnCode } from './own-code.ts';

/** The part of `onnxruntime-node` that is used here; the package is not a dependency and has no types here. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: object): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

/** A loaded model. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

/** Numbers in a shape. */
export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

const RUNTIME = 'onnxruntime-node';

/**
 * Loads the runtime from the folder that the owner configured, or else from the program's own installation.
 * Never from beside a model: whoever fills that folder would run code here.
 */
export function loadRuntime(
  configured: string | undefined,
  { modelPath, installation = packageFolder() }: RuntimePlaces,
): OnnxRuntime {
  if (configured !== undefined) assertConfigured(configured);
  const folder = configured ?? installedIn(installation);
  if (folder === undefined) throw notInstalled(modelPath);
  try {
    return createRequire(import.meta.url)(folder) as OnnxRuntime;
  } catch (cause) {
    const prefix = dirname(dirname(folder));
    throw onnxError(`the runtime \`${folder}\` cannot be loaded`, {
      repair: `run \`${installCommand(prefix)}\``,
      cause,
    });
  }
}

/** Where a runtime may be, and where it may not. */
export interface RuntimePlaces {
  readonly modelPath: string;
  /** Folder of this package. */
  readonly installation?: string;
}

function assertConfigured(folder: string): void {
  if (!isAbsolute(folder)) {
    throw onnxError(
      `expected \`embedder.runtime\` to be the absolute path of the folder \`${RUNTIME}\`, got \`${folder}\``,
    );
  }
  if (!existsSync(folder)) {
    throw onnxError(
      `expected \`embedder.runtime\` to be the folder \`${RUNTIME}\`, but there is no \`${folder}\``,
      {
        repair: `run \`${installCommand(dirname(dirname(folder)))}\``,
      },
    );
  }
  assertOwnCode(folder);
}

/**
 * The runtime installed with this package: inside it, or in the `node_modules` that holds it (in a clone, that
 * of the clone). Folders further up belong to others, and a model may lie there.
 */
function installedIn(installation: string): string | undefined {
  const scope = dirname(installation);
  const above = dirname(scope);
  const holders = [scope, above].filter((folder) => basename(folder) === 'node_modules');
  const clone = basename(scope) === 'packages' ? [join(above, 'node_modules')] : [];
  return [join(installation, 'node_modules'), ...holders, ...clone]
    .map((folder) => join(folder, RUNTIME))
    .find((folder) => existsSync(folder));
}

function packageFolder(): string {
  return fileURLToPath(new URL('..', findDataFolder(import.meta.url)));
}

/** Set-ups of earlier versions had it beside the model: the error names the line that keeps them working. */
function notInstalled(modelPath: string): Error {
  const beside = join(modelPath, 'node_modules', RUNTIME);
  if (existsSync(beside)) {
    return onnxError(`the runtime \`${RUNTIME}\` is no longer loaded from beside a model`, {
      repair: `if you installed it there, add ${lineFor(beside)}`,
    });
  }
  const prefix = join(homedir(), 'onnx');
  return onnxError(`the runtime \`${RUNTIME}\` is not installed`, {
    repair: `run \`${installCommand(prefix)}\` and add ${lineFor(join(prefix, 'node_modules', RUNTIME))}`,
  });
}

function lineFor(folder: string): string {
  return `\`"runtime": ${JSON.stringify(folder)}\` to \`embedder\` in the configuration file`;
}

/** Its install script fetches a GPU library from elsewhere; what the processor needs is in the package. */
function installCommand(prefix: string): string {
  return `npm install --ignore-scripts --prefix ${JSON.stringify(prefix)} ${RUNTIME}`;
}
