import { relative } from 'node:path';
import type { Arguments } from '../command/arguments.ts';
import type { Io } from '../command/io.ts';
import type { Client, RemoteEntry } from './clients.ts';
import { planEdit } from './install.ts';
import { putJsonEntry, removeJsonEntry } from './json-edit.ts';
import { diffLines } from './line-diff.ts';
import { entryFor, fileOf, type Request, tokenHint } from './request.ts';
import { putTomlEntry, removeTomlEntry } from './toml-edit.ts';

/** Shows what changes in the client's configuration and, unless it is a dry run, writes it. */
export async function changeClient(
  client: Client,
  request: Request,
  args: Arguments,
  io: Io,
): Promise<void> {
  const { name, place, remote } = request;
  const file = fileOf(client, request, args);
  const path = [client.member, name] as const;
  const edit = await planEdit(file, (text) => {
    if (args.flag('remove')) {
      return (client.format === 'toml' ? removeTomlEntry : removeJsonEntry)(text, path);
    }
    const put = client.format === 'toml' ? putTomlEntry : putJsonEntry;
    return put(text, path, entryFor(client, request), { force: args.flag('force') });
  });
  if (edit.after === edit.before) {
    io.remark(
      args.flag('remove') ? `${file} has no \`${name}\`` : `${file} already has \`${name}\``,
    );
    return;
  }
  io.print(
    io.paint.bold(relative(place.cwd, file).startsWith('..') ? file : relative(place.cwd, file)),
  );
  for (const { sign, text } of diffLines(edit.before, edit.after)) {
    const line = `${sign} ${hideToken(text, remote)}`;
    io.print(sign === '+' ? io.paint.green(line) : sign === '-' ? io.paint.red(line) : line);
  }
  if (args.flag('dry-run')) {
    io.remark('dry run: nothing was changed');
    return;
  }
  const backup = await edit.apply();
  io.remark(
    args.flag('remove') ? `removed \`${name}\` from ${file}` : `added \`${name}\` to ${file}`,
  );
  if (backup !== undefined) io.remark(`kept a copy of the file as it was: ${backup}`);
  if (!args.flag('remove') && remote !== undefined && remote.token === undefined) {
    io.remark(tokenHint());
  }
}

/** The token goes into the file, not onto the screen. */
function hideToken(line: string, remote: RemoteEntry | undefined): string {
  return remote?.token === undefined ? line : line.replaceAll(remote.token, '[redacted]');
}
