import type { Arguments } from './arguments.ts';
import type { Io } from './io.ts';

/** One option of a verb, as help, completion, the parser and the reference page know it. */
export interface OptionDefinition {
  readonly type: 'flag' | 'text' | 'number' | 'list';
  readonly description: string;
  readonly short?: string;
  readonly default?: string | number;
  /** The values accepted. */
  readonly choices?: readonly string[];
  /** What stands for the value in help. Default the type. */
  readonly value?: string;
}

/** A line to try, and what it does. */
export interface Example {
  readonly command: string;
  readonly does: string;
}

/** What a verb does once it is chosen; resolves with the exit code, or undefined if it owns the process. */
export type RunVerb = (args: Arguments, io: Io) => Promise<number | undefined>;

/** Everything there is to say about a verb. Its code is loaded when it is called. */
export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** Forms of the command line, without `tincan <verb>`. */
  readonly usage: readonly string[];
  /** Paragraphs of the reference page and of `--help`. */
  readonly description: readonly string[];
  readonly options: Readonly<Record<string, OptionDefinition>>;
  readonly examples: readonly Example[];
  /** Whether `-- <server command>` must, may or must not follow. */
  readonly server: 'required' | 'optional' | 'none';
  /** Words that may stand first, for completion. */
  readonly words?: readonly string[];
  /** Hands over the rest of the line unread: the verb has a parser of its own. */
  readonly isDelegate?: boolean;
  load(): Promise<RunVerb>;
}
