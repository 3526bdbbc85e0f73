import { Dispatcher, ErrorCode, RpcError, runServer } from 'tincan-wire';

interface Operands {
  readonly a: number;
  readonly b: number;
}

/** Both ends run on untyped JSON, so a server looks at what came before it uses it. */
function operands(params: unknown): Operands {
  const { a, b } = (params ?? {}) as Partial<Operands>;
  if (typeof a === 'number' && typeof b === 'number') return { a, b };
  throw new RpcError(ErrorCode.InvalidParams, 'expected numbers `a` and `b`');
}

const calculator = new Dispatcher({
  add: (params) => {
    const { a, b } = operands(params);
    return a + b;
  },
  divide: (params) => {
    const { a, b } = operands(params);
    if (b === 0) throw new RpcError(1, 'cannot divide by zero', { a });
    return a / b;
  },
});

// With stdout guarded this lands on stderr and cannot break the protocol.
setTimeout(() => console.log('calculator: ready'), 0);

await runServer(calculator);
