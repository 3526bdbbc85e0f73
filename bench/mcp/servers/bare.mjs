// The least a program can do: answers every line with an empty result.
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const line of lines) {
    const { id } = JSON.parse(line);
    if (id !== undefined) out += `${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`;
  }
  process.stdout.write(out);
});
