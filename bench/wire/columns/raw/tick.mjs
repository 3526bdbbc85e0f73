/** One notification as bytes, as long as those of the other columns. */
export const tick = Buffer.from(
  '{"jsonrpc":"2.0","method":"tick","params":{"sequence":100000,"text":"tick"}}\n',
);
