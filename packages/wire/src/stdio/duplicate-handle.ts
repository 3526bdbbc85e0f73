/** The part of Node's pipe handle that is used here. */
export interface PipeHandle {
  readonly fd: number;
  pendingHandle?: PipeHandle | undefined;
  onread: (this: void) => void;
  onconnection: (this: void, status: number, client: PipeHandle) => void;
  open(fd: number): number;
  bind(name: string): number;
  listen(backlog: number): number;
  connect(request: object, name: string): number;
  readStart(): number;
  writeUtf8String(request: object, text: string, handle: PipeHandle): number;
  close(): void;
}

interface Bindings {
  readonly Pipe: { new (type: number): PipeHandle };
  readonly PipeConnectWrap: { new (): { oncomplete: (status: number) => void } };
  readonly WriteWrap: { new (): { oncomplete: () => void } };
  readonly constants: { readonly SOCKET: number; readonly SERVER: number; readonly IPC: number };
}

/**
 * Duplicates a socket descriptor. JavaScript has no `dup`, and a socket cannot be opened by its path;
 * but a process may send a descriptor to itself over a local socket, and what arrives is a duplicate.
 * `beforeReceive` runs right before the kernel picks the lowest free number for it.
 */
export function duplicateHandle(
  fd: number,
  beforeReceive: () => void = () => undefined,
): Promise<PipeHandle> {
  const { Pipe, PipeConnectWrap, WriteWrap, constants } = loadBindings();
  const original = new Pipe(constants.SOCKET);
  check('open', original.open(fd));
  const server = new Pipe(constants.SERVER);
  const sender = new Pipe(constants.IPC);
  const receiver = new Pipe(constants.IPC);
  // Unique is enough, and the module with better randomness takes longer to load than all of this.
  const name = `\0tincan-${process.pid}-${Math.random().toString(36).slice(2)}`;
  return new Promise<PipeHandle>((resolve, reject) => {
    server.onconnection = (status, client) => {
      // The accepted handle cannot take descriptors; another one on the same socket can.
      if (status === 0) check('open', receiver.open(client.fd));
      receiver.onread = () => {
        const { pendingHandle } = receiver;
        receiver.pendingHandle = undefined;
        for (const handle of [receiver, sender, server]) handle.close();
        if (pendingHandle === undefined) reject(new Error('no descriptor came back'));
        else resolve(pendingHandle);
      };
      beforeReceive();
      receiver.readStart();
    };
    const request = new PipeConnectWrap();
    request.oncomplete = (status) => {
      const write = new WriteWrap();
      write.oncomplete = () => undefined;
      const sent = status === 0 ? sender.writeUtf8String(write, 'x', original) : status;
      if (sent !== 0) reject(new Error(`could not send a descriptor: ${sent}`));
    };
    check('bind', server.bind(name));
    check('listen', server.listen(1));
    sender.connect(request, name);
  });
}

/** Node's own handles. There is no public way to them, so whoever calls must have another way out. */
function loadBindings(): Bindings {
  if (process.platform !== 'linux') throw new Error('only Linux needs and has this');
  const { binding } = process as unknown as { binding: (name: string) => Bindings };
  const { Pipe, PipeConnectWrap, constants } = binding('pipe_wrap');
  return { Pipe, PipeConnectWrap, constants, WriteWrap: binding('stream_wrap').WriteWrap };
}

function check(step: string, status: number): void {
  if (status !== 0) throw new Error(`could not ${step} a descriptor: ${status}`);
}
