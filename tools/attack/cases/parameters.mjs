// Every parameter of every method with values of every wrong type, and parameters that no method has.
// Both come from the method table, so that a new method is attacked from its first day.

import { methods, toolName } from '../../../packages/memory/dist/index.js';
import { oneOf } from '../expectation.mjs';

const WRONG = {
  string: [7, true, [], {}, ['x']],
  integer: ['7', 1.5, true, [], {}, 1e300],
  number: ['7', true, [], {}],
  boolean: ['true', 1, 0, [], {}],
  object: ['x', 7, true, []],
  array: ['x', 7, true, { length: 1 }],
};

/** Names that programs mistake for parameters, or for something else. */
const STRANGE = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'extra',
  '',
];

/** Every place in some parameters with the values that are wrong there. */
function* wrongValues(schema, path = []) {
  const [main] = [schema.type].flat();
  if (path.length > 0) for (const value of WRONG[main] ?? []) yield { path, value };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* wrongValues(property, [...path, name]);
  }
  if (schema.items !== undefined) yield* wrongValues(schema.items, [...path, 0]);
}

/** Parameters that fit the schema but for one value. */
function paramsWith(schema, [step, ...rest], value) {
  if (step === undefined) return value;
  if (typeof step === 'number') return [paramsWith(schema.items ?? {}, rest, value)];
  const inner = schema.properties?.[step] ?? {};
  return { ...fitting(schema), [step]: paramsWith(inner, rest, value) };
}

/** The least that a schema requires. */
function fitting({ properties = {}, required = [] }) {
  return Object.fromEntries(
    required.map((name) => {
      const [type] = [properties[name]?.type].flat();
      return [name, type === 'object' ? {} : name === 'key' ? 'global.x' : 'x'];
    }),
  );
}

const pathText = (path) =>
  path.reduce((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');

/** JSON text with a key that an object literal could not hold as its own. */
function withKey(params, key, value) {
  const text = JSON.stringify(params);
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return text === '{}' ? `{${member}}` : `${text.slice(0, -1)},${member}}`;
}

/** A wrong type is refused with the path of the parameter. */
export const wrongTypes = methods.flatMap(({ name, params }) =>
  [...wrongValues(params)].map(({ path, value }) => ({
    name: `${name} with ${JSON.stringify(value)} as ${pathText(path)}`,
    method: name,
    params: JSON.stringify(paramsWith(params, path, value)),
    expected: { error: { code: -32602, data: { path: pathText(path) } } },
  })),
);

/** A required parameter that is missing, empty or null is refused with its name. */
export const missing = methods.flatMap(({ name, params }) =>
  (params.required ?? []).map((field) => {
    const { [field]: _, ...rest } = fitting(params);
    return {
      name: `${name} without ${field}`,
      method: name,
      params: JSON.stringify(rest),
      expected: { error: { code: -32602, data: { path: field } } },
    };
  }),
);

/** A parameter that no method has is refused, whatever it is called. */
export const unknown = methods.flatMap(({ name, params }) =>
  STRANGE.map((key) => ({
    name: `${name} with ${JSON.stringify(key)}`,
    method: name,
    params: withKey(fitting(params), key, { projectId: 'canary', polluted: true }),
    expected: { error: { code: -32602 } },
  })),
);

/** The same one level down. */
export const unknownInside = methods.flatMap(({ name, params }) =>
  Object.entries(params.properties ?? {})
    .filter(([, property]) => property.properties !== undefined)
    .flatMap(([field, property]) =>
      [...STRANGE, ...Object.keys(property.properties).map((inner) => `${inner}s`)].map((key) => ({
        name: `${name} with ${JSON.stringify(key)} in ${field}`,
        method: name,
        params: withKey(fitting(params), field, {}).replace(/\{\}\}$/, `${withKey({}, key, 'x')}}`),
        expected: { error: { code: -32602 } },
      })),
    ),
);

/** A parameter that is nearly right is refused, and the right one named. */
export const misspelt = methods.flatMap(({ name, params }) =>
  Object.keys(params.properties ?? {}).map((field) => ({
    name: `${name} with ${field}s for ${field}`,
    method: name,
    params: withKey(fitting(params), `${field}s`, 'x'),
    expected: { error: { code: -32602, message: new RegExp(`\\b${field}\\b`) } },
  })),
);

/** `_meta` belongs to the protocol: it is never refused as unknown. */
export const meta = methods.map(({ name, params }) => ({
  name: `${name} with _meta`,
  method: name,
  params: withKey(fitting(params), '_meta', { progressToken: 1 }),
  expected: oneOf({ result: {} }, { error: { code: oneOf(-32001, -32002, -32003, -32005) } }),
}));

/** The same wrong types as arguments of the tools that models call. */
export const wrongArguments = methods.flatMap((method) =>
  [...wrongValues(method.params)]
    .filter(({ path }) => path.length === 1)
    // Models quote numbers: tools take a number that is written as text.
    .map(({ path, value }) => ({ path, value: value === '7' ? 'seven' : value }))
    .map(({ path, value }) => ({
      name: `${toolName(method)} with ${JSON.stringify(value)} as ${path[0]}`,
      tool: toolName(method),
      arguments: paramsWith(method.params, path, value),
      // A tool outside the toolset does not exist; one inside says what to fix.
      expected: oneOf({ error: { code: -32602 } }, { result: { isError: true } }),
    })),
);
