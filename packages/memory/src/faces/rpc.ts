import type { MethodTable } from 'tincan-wire';
import { findMethod } from '../methods/methods.ts';
import type { Call } from './call.ts';

/** The methods `memory.*` for a line or a web server. */
export function memoryMethods(call: Call): MethodTable {
  return {
    find: (name) => {
      if (findMethod(name) === undefined) return undefined;
      return (params, context) => call(name, params, context);
    },
  };
}

/** Several tables as one: the first that knows a method has it. */
export function firstOf(...tables: readonly MethodTable[]): MethodTable {
  return {
    find: (name) => {
      for (const table of tables) {
        const handler = table.find(name);
        if (handler !== undefined) return handler;
      }
      return undefined;
    },
  };
}
