import { describe, expect, it } from 'vitest';
import { callText, errorText, resultText } from '../../src/jsonrpc/message.ts';

describe('texts of messages', () => {
  it('are the JSON of what they stand for', () => {
    expect(callText('m', undefined)).toBe('{"jsonrpc":"2.0","method":"m"}');
    expect(callText('m', '{"a":1}', 7)).toBe(
      '{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}',
    );
    expect(resultText('"x"', 'null')).toBe('{"jsonrpc":"2.0","id":"x","result":null}');
    expect(errorText('null', { code: 1, message: 'm' })).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}',
    );
  });

  it('escape method names, the first time and the thousandth', () => {
    for (let n = 0; n < 3000; n++) {
      const method = `quote " line \n ${n}`;
      expect(JSON.parse(callText(method, undefined))).toEqual({ jsonrpc: '2.0', method });
    }
    expect(JSON.parse(callText('quote " line \n 0', undefined)).method).toBe('quote " line \n 0');
  });
});
