import type { Toolset } from '../config/settings.ts';
import { configMethods } from './config-methods.ts';
import { groupMethods } from './group-methods.ts';
import { historyMethods } from './history-methods.ts';
import type { Method } from './method.ts';
import { noteMethods } from './note-methods.ts';
import { valueMethods } from './value-methods.ts';

/** Everything the memory can do: the one table that every face is made from. */
export const methods: readonly Method[] = [
  ...noteMethods,
  ...historyMethods,
  ...configMethods,
  ...valueMethods,
  ...groupMethods,
];

/** The methods that are tools in a toolset. */
export function toolMethods(toolset: Toolset): readonly Method[] {
  return methods.filter(
    ({ tool }) => tool !== undefined && (toolset === 'all' || tool.toolset === toolset),
  );
}

const byName: ReadonlyMap<string, Method> = new Map(methods.map((method) => [method.name, method]));

/** The method of a JSON-RPC name. */
export function findMethod(name: string): Method | undefined {
  return byName.get(name);
}
