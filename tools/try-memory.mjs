// Connects to a memory, saves a note and searches for it in other words.

import { connect } from 'tincan-mcp';

const NOTE = { projectId: 'installs', groupId: 'global', text: 'Deploys go out on Tuesdays' };
/** What is done, with which tool, and a text that its answer has. */
const CALLS = [
  ['saves', 'memory_add_note', NOTE, '"id":'],
  [
    'finds',
    'memory_search',
    { projectId: 'installs', query: 'which day do we deploy?' },
    NOTE.text,
  ],
];
/** The command at the end of the message of a memory that has no SQLite driver. */
const REPAIR = /the memory needs SQLite .* or run `([^`]+)`/;

/**
 * Returns what works, the number of tools, and what went wrong, if anything. Where the memory has no driver, `repair`
 * runs the command that it names, and the same server is asked again.
 */
export async function tryMemory(server, { repair, onConnected = () => undefined } = {}) {
  const done = [];
  let client;
  let tools = 0;
  try {
    client = await connect(server, { timeoutMs: 120_000 });
    tools = (await client.listTools()).length;
    onConnected();
    done.push('connects');
    const command = await repairCommand(client);
    if (command !== undefined) {
      done.push('names the fix in every call');
      if (repair === undefined) return { done, tools };
      await repair(command);
      done.push('after the fix');
    }
    for (const [name, tool, args, answer] of CALLS) {
      const { text, isError } = await call(client, tool, args);
      if (isError || !text.includes(answer)) throw new Error(`${tool} answered ${text}`);
      done.push(name);
    }
    return { done, tools };
  } catch (error) {
    return { done, tools, problem: error.message };
  } finally {
    await client?.close().catch(() => undefined);
  }
}

/** The command that every call of a memory without a driver names; `undefined` where it has one. */
async function repairCommand(client) {
  const commands = [];
  for (const [, tool, args] of CALLS.toReversed()) {
    const { text } = await call(client, tool, args);
    commands.push(REPAIR.exec(text)?.[1]);
    if (commands[0] === undefined) return undefined;
  }
  if (commands.includes(undefined)) throw new Error('some calls do not name the fix');
  return commands[0];
}

async function call(client, tool, args) {
  try {
    const { content, structuredContent, isError = false } = await client.callTool(tool, args);
    const parts = content.map(({ text }) => text);
    return { text: [...parts, JSON.stringify(structuredContent)].join('\n'), isError };
  } catch (error) {
    return { text: error.message, isError: true };
  }
}
