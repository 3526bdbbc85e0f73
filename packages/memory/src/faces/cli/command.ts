import { PROVIDERS } from '../../embed/providers.ts';
import type { Arguments } from './arguments.ts';
import type { CommandIo } from './io.ts';

/** An option of a command. `list` may be given several times and splits at commas. */
export interface OptionDefinition {
  readonly type: 'flag' | 'text' | 'number' | 'list';
  readonly short?: string;
  /** What the value is, in the help. */
  readonly value?: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string | number;
}

/** Does the work and resolves with the exit code. */
export type RunCommand = (args: Arguments, io: CommandIo) => Promise<number>;

/** Everything there is to say about a command; its code is loaded when it is called. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What follows the name on the command line. */
  readonly usage: string;
  /** Paragraphs of the help. */
  readonly description: readonly string[];
  readonly options: Readonly<Record<string, OptionDefinition>>;
  readonly examples: readonly { readonly command: string; readonly does: string }[];
  /** How many words may stand beside the options. */
  readonly words: 'none' | 'any';
  load(): Promise<RunCommand>;
}

/** Options that every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  config: {
    type: 'text',
    short: 'c',
    value: 'file',
    description: 'configuration file (default: config.json in the memory folder)',
  },
  embedder: {
    type: 'text',
    value: 'provider',
    choices: Object.keys(PROVIDERS),
    description: `embedder to use: ${Object.keys(PROVIDERS).join(', ')}`,
  },
  model: { type: 'text', value: 'model', description: 'its model; for onnx the folder of one' },
  runtime: {
    type: 'text',
    value: 'folder',
    description: 'onnx: folder of the package onnxruntime-node',
  },
  help: { type: 'flag', short: 'h', description: 'print this help' },
};
