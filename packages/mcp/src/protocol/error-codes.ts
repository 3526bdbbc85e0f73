/** Error codes of the Model Context Protocol beyond those of JSON-RPC. */
export const McpErrorCode = {
  /** Legacy revisions only; modern ones use `-32602`. */
  ResourceNotFound: -32002,
  HeaderMismatch: -32020,
  MissingClientCapability: -32021,
  UnsupportedVersion: -32022,
} as const;
