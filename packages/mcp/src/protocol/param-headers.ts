import type { JsonSchema } from '../schema/json-schema.ts';

/** A tool parameter that HTTP repeats in a header, for whoever routes by it. */
export interface ParamHeader {
  readonly parameter: string;
  /** Name of the header, in lower case. */
  readonly header: string;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/**
 * Parameters of a tool that are marked with `x-mcp-header`. Undefined when a mark breaks the rules: such a
 * tool must not be used over HTTP.
 */
export function paramHeadersOf(inputSchema: JsonSchema | undefined): ParamHeader[] | undefined {
  const headers: ParamHeader[] = [];
  for (const [parameter, schema] of Object.entries(inputSchema?.properties ?? {})) {
    const name: unknown = typeof schema === 'object' ? schema['x-mcp-header'] : undefined;
    if (name === undefined) continue;
    const type = typeof schema === 'object' ? schema.type : undefined;
    if (typeof name !== 'string' || !HEADER_NAME.test(name) || !TYPES.includes(type))
      return undefined;
    const header = `mcp-param-${name.toLowerCase()}`;
    if (headers.some((other) => other.header === header)) return undefined;
    headers.push({ parameter, header });
  }
  return headers;
}
