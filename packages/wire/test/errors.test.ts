import { describe, expect, it } from 'vitest';
import {
  ErrorCode,
  ProcessExitedError,
  RpcError,
  TimeoutError,
  toWireError,
  WireError,
} from '../src/errors.ts';

const exit = {
  phase: 'running',
  exitCode: 3,
  signal: null,
  uptimeMs: 12,
  stderrTail: 'boom',
  strayLines: ['hello'],
} as const;

const SAMPLES = [
  ['WireError', new WireError('IO', 'm'), 'IO'],
  ['RpcError', new RpcError(-1, 'm', { a: 1 }), 'REMOTE'],
  ['TimeoutError', new TimeoutError('m', 5, 'idle'), 'TIMEOUT'],
  ['ProcessExitedError', new ProcessExitedError('m', exit), 'PROCESS_EXITED'],
] as const;

describe('the error family', () => {
  it.each(SAMPLES)('%s has its name, its code and its message', (name, error, code) => {
    expect(error).toMatchObject({ name, code, message: 'm' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(WireError);
  });

  it.each(SAMPLES)('%s is an instance of its own class and of no sibling', (name, error) => {
    for (const type of [RpcError, TimeoutError, ProcessExitedError]) {
      expect(error instanceof type).toBe(type.name === name);
    }
  });

  it('keeps the cause', () => {
    const cause = new Error('root');
    expect(new WireError('IO', 'm', { cause }).cause).toBe(cause);
    expect(new RpcError(1, 'm', undefined, { cause }).cause).toBe(cause);
  });

  it('carries what is known of an ended process', () => {
    expect({ ...new ProcessExitedError('m', exit) }).toMatchObject(exit);
  });

  it('has its code and its name as members', () => {
    expect(Object.keys(new WireError('IO', 'm')).sort()).toEqual(['code', 'name']);
  });

  it('knows the codes of the specification', () => {
    expect(Object.values(ErrorCode)).toEqual([-32700, -32600, -32601, -32602, -32603]);
  });
});

describe('subclasses of users', () => {
  class NotFound extends RpcError {
    override readonly name: string = 'NotFound';
    constructor(what: string) {
      super(404, `${what} not found`);
    }
  }
  class Quiet extends WireError {}

  it('are instances of themselves and of every parent, whatever name they carry', () => {
    const error = new NotFound('it');
    expect([NotFound, RpcError, WireError, Error].map((type) => error instanceof type)).toEqual(
      Array(4).fill(true),
    );
    expect(error instanceof TimeoutError).toBe(false);
    expect(new Quiet('IO', 'm') instanceof Quiet).toBe(true);
    expect(new WireError('IO', 'm') instanceof Quiet).toBe(false);
    expect(new RpcError(1, 'm') instanceof NotFound).toBe(false);
  });
});

describe('`instanceof`', () => {
  it.each([undefined, null, 'WireError', 5, {}, new Error('m'), { name: 'WireError', code: 'IO' }])(
    'does not hold for %s',
    (value) => {
      expect(value instanceof WireError).toBe(false);
      expect(value instanceof RpcError).toBe(false);
    },
  );
});

describe('toWireError', () => {
  it('returns errors of the family as they are', () => {
    const error = new RpcError(1, 'm');
    expect(toWireError(error, 'IO')).toBe(error);
  });

  it.each<[unknown, string]>([
    [new TypeError('bad type'), 'bad type'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [{ toString: () => 'shown' }, 'shown'],
  ])('wraps %s and keeps it as the cause', (thrown, message) => {
    const error = toWireError(thrown, 'SERIALIZE');
    expect(error).toMatchObject({ name: 'WireError', code: 'SERIALIZE', message });
    expect(error.cause).toBe(thrown);
  });
});
