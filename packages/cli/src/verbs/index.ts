import type { Verb } from '../command/verb.ts';
import { bridge } from './bridge.ts';
import { call } from './call.ts';
import { check } from './check.ts';
import { completion } from './completion.ts';
import { config } from './config.ts';
import { delegates } from './delegates.ts';
import { help } from './help.ts';
import { repl } from './repl.ts';
import { replay } from './replay.ts';
import { show } from './show.ts';
import { tap } from './tap.ts';

/** Every verb, in the order of help. */
export const verbs: readonly Verb[] = [
  call,
  repl,
  tap,
  show,
  replay,
  bridge,
  check,
  config,
  ...delegates,
  completion,
  help,
];
