import { ErrorCode } from 'tincan-wire';
import type { ResourceContents } from '../protocol/content.ts';
import { McpErrorCode } from '../protocol/error-codes.ts';
import type { ServerDefinition } from './definition.ts';
import { pageOf } from './pages.ts';
import type { RequestContext } from './request-context.ts';
import { ProtocolError } from './tool-error.ts';
import { matchUri } from './uri-template.ts';

/** Marks a cursor as one of the server author's own list. */
const DYNAMIC = 'dynamic:';

/** The resources of a server: declared ones, templates, and those that come and go. */
export class ResourceCatalogue {
  readonly #definition: ServerDefinition;
  readonly #pageSize: number;

  constructor(definition: ServerDefinition, pageSize: number) {
    this.#definition = definition;
    this.#pageSize = pageSize;
  }

  get isEmpty(): boolean {
    const { resources, resourceTemplates, listResources } = this.#definition;
    return (
      resources === undefined && resourceTemplates === undefined && listResources === undefined
    );
  }

  async list(params: object, context: RequestContext): Promise<object> {
    const cursor: unknown = Reflect.get(params, 'cursor');
    const { resources = [], listResources } = this.#definition;
    if (typeof cursor === 'string' && cursor.startsWith(DYNAMIC)) {
      return this.#listDynamic(cursor.slice(DYNAMIC.length), context);
    }
    const page = pageOf(resources, cursor, this.#pageSize);
    const listed = page.items.map(({ read: _, ...shown }) => shown);
    if (page.nextCursor !== undefined) return { resources: listed, nextCursor: page.nextCursor };
    if (listResources === undefined) return { resources: listed };
    // The server author's own pages follow the declared resources.
    if (listed.length > 0) return { resources: listed, nextCursor: DYNAMIC };
    return this.#listDynamic('', context);
  }

  listTemplates(params: object): object {
    const { resourceTemplates = [] } = this.#definition;
    const page = pageOf(resourceTemplates, Reflect.get(params, 'cursor'), this.#pageSize);
    return {
      resourceTemplates: page.items.map(({ read: _read, complete: _complete, ...shown }) => shown),
      ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    };
  }

  async read(params: object, context: RequestContext): Promise<{ contents: ResourceContents[] }> {
    const uri: unknown = Reflect.get(params, 'uri');
    if (typeof uri !== 'string') {
      throw new ProtocolError(ErrorCode.InvalidParams, 'expected `uri` to be a string', {
        path: 'uri',
      });
    }
    const { resources = [], resourceTemplates = [] } = this.#definition;
    const resource = resources.find((candidate) => candidate.uri === uri);
    if (resource !== undefined) {
      return contentsOf(await resource.read(uri, context), uri, resource.mimeType);
    }
    for (const template of resourceTemplates) {
      const variables = matchUri(template.uriTemplate, uri);
      if (variables === undefined) continue;
      const output = await template.read(variables, Object.assign(context, { uri }));
      if (output !== undefined) return contentsOf(output, uri, template.mimeType);
    }
    const isLegacy = context.caller.era === 'legacy';
    const code = isLegacy ? McpErrorCode.ResourceNotFound : ErrorCode.InvalidParams;
    throw new ProtocolError(code, `no such resource: \`${uri}\``, { uri });
  }

  async #listDynamic(cursor: string, context: RequestContext): Promise<object> {
    const { listResources } = this.#definition;
    const page = await listResources?.(cursor === '' ? undefined : cursor, context);
    const nextCursor = page?.nextCursor;
    return {
      resources: page?.resources ?? [],
      ...(nextCursor !== undefined && { nextCursor: DYNAMIC + nextCursor }),
    };
  }
}

function contentsOf(
  output: string | ResourceContents | readonly ResourceContents[],
  uri: string,
  mimeType: string | undefined,
): { contents: ResourceContents[] } {
  if (typeof output === 'string') {
    return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), text: output }] };
  }
  return { contents: Array.isArray(output) ? [...output] : [output as ResourceContents] };
}
