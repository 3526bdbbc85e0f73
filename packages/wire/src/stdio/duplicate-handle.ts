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
 * Duplicates socket descriptors. JavaScript has no `dup`, and a socket cannot be opened by its path;
 * but a process may send a descriptor to itself over a local socket, and what arrives is a duplicate.
 */
export class HandleDuplicator {
  readonly #bindings: Bindings;
  readonly #sender: PipeHandle;
  readonly #receiver: PipeHandle;

  private constructor(bindings: Bindings, sender: PipeHandle, receiver: PipeHandle) {
    this.#bindings = bindings;
    this.#sender = sender;
    this.#receiver = receiver;
  }

  static open(): Promise<HandleDuplicator> {
    const bindings = loadBindings();
    const { Pipe, PipeConnectWrap, constants } = bindings;
    const server = new Pipe(constants.SERVER);
    const sender = new Pipe(constants.IPC);
    const receiver = new Pipe(constants.IPC);
    // Unique is enough, and the module with better randomness takes longer to load than all of this.
    const name = `\0tincan-${process.pid}-${Math.random().toString(36).slice(2)}`;
    check('bind', server.bind(name));
    check('listen', server.listen(1));
    return new Promise((resolve, reject) => {
      server.onconnection = (status, client) => {
        server.close();
        // The accepted handle cannot take descriptors; another one on the same socket can.
        const opened = status === 0 ? receiver.open(client.fd) : status;
        if (opened !== 0) reject(new Error(`could not reach this process itself: ${opened}`));
        else resolve(new HandleDuplicator(bindings, sender, receiver));
      };
      const request = new PipeConnectWrap();
      request.oncomplete = (status) => {
        if (status !== 0) reject(new Error(`could not reach this process itself: ${status}`));
      };
      sender.connect(request, name);
    });
  }

  /** The kernel picks the lowest free number for it, and `beforeSending` can see to which that is. */
  duplicate(fd: number, beforeSending: () => void = () => undefined): Promise<PipeHandle> {
    const { Pipe, WriteWrap, constants } = this.#bindings;
    const original = new Pipe(constants.SOCKET);
    check('open', original.open(fd));
    return new Promise((resolve, reject) => {
      this.#receiver.onread = () => {
        const { pendingHandle } = this.#receiver;
        this.#receiver.pendingHandle = undefined;
        if (pendingHandle === undefined) reject(new Error('no descriptor came back'));
        else resolve(pendingHandle);
      };
      this.#receiver.readStart();
      const write = new WriteWrap();
      write.oncomplete = () => undefined;
      beforeSending();
      const sent = this.#sender.writeUtf8String(write, 'x', original);
      if (sent !== 0) reject(new Error(`could not send a descriptor: ${sent}`));
    });
  }

  close(): void {
    this.#sender.close();
    this.#receiver.close();
  }
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
