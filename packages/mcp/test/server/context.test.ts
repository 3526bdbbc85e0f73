import { describe, expect, it } from 'vitest';
import type { ObjectSchema } from '../../src/index.ts';
import { ProgressReporter } from '../../src/server/progress-reporter.ts';
import { RequestState } from '../../src/server/request-state.ts';
import { Exchange, modern, tool } from '../exchange.ts';

const NAME_FORM: ObjectSchema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};

const greeter = tool('greet', async (_, context) => {
  const { action, content } = await context.elicit('Your name?', NAME_FORM);
  const { content: more } = await context.elicit('And your city?', {
    type: 'object',
    properties: { city: { type: 'string' } },
  });
  return `${action} ${content?.['name']} of ${more?.['city']}`;
});

describe('questions', () => {
  it('are put to a legacy client at once, as requests', async () => {
    const exchange = new Exchange({ tools: [greeter] });
    await exchange.result('initialize', { capabilities: { elicitation: {} } });
    const asked: unknown[] = [];
    exchange.onRequest = (method, params) => {
      asked.push(method, params);
      return { action: 'accept', content: { name: 'Ann', city: 'Bern' } };
    };
    expect(await exchange.result('tools/call', { name: 'greet' })).toMatchObject({
      content: [{ text: 'accept Ann of Bern' }],
    });
    expect(asked.slice(0, 2)).toEqual([
      'elicitation/create',
      { message: 'Your name?', requestedSchema: NAME_FORM },
    ]);
  });

  it('are answered by a modern client over several rounds', async () => {
    const exchange = new Exchange({ tools: [greeter] });
    const ask = { name: 'greet', ...modern({ elicitation: {} }) };
    const first = await exchange.result('tools/call', ask);
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'elicitation-1': { method: 'elicitation/create' } },
    });
    const second = await exchange.result('tools/call', {
      ...ask,
      requestState: first['requestState'],
      inputResponses: { 'elicitation-1': { action: 'accept', content: { name: 'Ann' } } },
    });
    expect(Object.keys(second['inputRequests'] as object)).toEqual(['elicitation-2']);
    const third = await exchange.result('tools/call', {
      ...ask,
      requestState: second['requestState'],
      inputResponses: { 'elicitation-2': { action: 'accept', content: { city: 'Bern' } } },
    });
    expect(third).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'accept Ann of Bern' }],
    });
  });

  it.each([
    [
      'an answer of the wrong type',
      { 'elicitation-1': { action: 'accept', content: { name: 7 } } },
    ],
    ['no action', { 'elicitation-1': { content: { name: 'Ann' } } }],
    ['another name', { other: { action: 'accept', content: { name: 'Ann' } } }],
    ['null', { 'elicitation-1': null }],
  ])('are asked again after %s', async (_, inputResponses) => {
    const exchange = new Exchange({ tools: [greeter] });
    const ask = { name: 'greet', inputResponses, ...modern({ elicitation: {} }) };
    expect(await exchange.result('tools/call', ask)).toMatchObject({
      inputRequests: { 'elicitation-1': {} },
    });
  });

  it('are an error result when a legacy client answers something else', async () => {
    const exchange = new Exchange({ tools: [greeter] });
    await exchange.result('initialize', { capabilities: { elicitation: {} } });
    exchange.onRequest = () => ({ action: 'accept', content: { name: 7 } });
    expect(await exchange.result('tools/call', { name: 'greet' })).toMatchObject({
      isError: true,
      content: [{ text: "the client's answer to `elicitation-1` does not fit the question" }],
    });
  });

  it.each([null, 'accept'])('refuse answers that are no object: %o', async (inputResponses) => {
    const exchange = new Exchange({ tools: [greeter] });
    const ask = { name: 'greet', inputResponses, ...modern({ elicitation: {} }) };
    expect(await exchange.error('tools/call', ask)).toMatchObject({
      code: -32602,
      data: { path: 'inputResponses' },
    });
  });

  it('are refused with -32021 when a modern client did not say it takes them', async () => {
    const exchange = new Exchange({ tools: [greeter] });
    expect(await exchange.error('tools/call', { name: 'greet', ...modern() })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
  });

  it('are an error result for a legacy client that does not take them', async () => {
    const exchange = new Exchange({ tools: [greeter] });
    expect(await exchange.result('tools/call', { name: 'greet' })).toMatchObject({ isError: true });
  });

  it('of other kinds work the same way', async () => {
    const exchange = new Exchange({
      tools: [
        tool('all', async (_, context) =>
          JSON.stringify(
            await context.input({
              roots: { method: 'roots/list', params: {} },
              words: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
            }),
          ),
        ),
      ],
    });
    const ask = { name: 'all', ...modern({ roots: {}, sampling: {} }) };
    const { inputRequests } = await exchange.result('tools/call', ask);
    expect(Object.keys(inputRequests as object)).toEqual(['roots', 'words']);
    const inputResponses = {
      roots: { roots: [] },
      words: { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' },
    };
    expect(await exchange.result('tools/call', { ...ask, inputResponses })).toMatchObject({
      resultType: 'complete',
    });
  });
});

describe('a request state', () => {
  const call = { method: 'tools/call', name: 'greet' };

  it('comes back as it was sealed', () => {
    const state = new RequestState();
    expect(state.open(state.seal({ a: 1 }, call, 0), call, 1)).toEqual({ a: 1 });
  });

  it.each([
    ['changed', (sealed: string) => `x${sealed}`, call, 1, 'not issued by this server'],
    [
      'of another server',
      () => new RequestState().seal({}, call, 0),
      call,
      1,
      'not issued by this server',
    ],
    ['of another call', (sealed: string) => sealed, { method: 'x' }, 1, 'belongs to another call'],
    ['too old', (sealed: string) => sealed, call, 2 * 60 * 60 * 1000, 'has expired'],
    ['no string', () => 7, call, 1, 'not issued by this server'],
  ])('that is %s is refused', (_, change, asked, nowMs, message) => {
    const state = new RequestState();
    const given = change(state.seal({}, call, 0));
    expect(() => state.open(given, asked, nowMs)).toThrow(message);
  });
});

describe('progress', () => {
  function reporter(): {
    report: ProgressReporter['report'];
    sent: unknown[];
    advance: (ms: number) => void;
  } {
    const sent: unknown[] = [];
    let now = 0;
    const call = { progress: (progress: unknown) => sent.push(progress) };
    const progress = new ProgressReporter(call as never, () => now);
    return {
      report: (...args) => progress.report(...args),
      sent,
      advance: (ms) => {
        now += ms;
      },
    };
  }

  it('only moves forward', () => {
    const { report, sent, advance } = reporter();
    for (const value of [1, 1, 0, 2, Number.NaN, 3]) {
      report(value);
      advance(1000);
    }
    expect(sent).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
  });

  it('is held down to a rate, but never loses the last step', () => {
    const { report, sent, advance } = reporter();
    for (let i = 0; i <= 1000; i++) {
      report(i, 1000, `step ${i}`);
      advance(1);
    }
    expect(sent.length).toBeLessThan(25);
    expect(sent.at(-1)).toEqual({ progress: 1000, total: 1000, message: 'step 1000' });
  });

  it('is sent only to a client that gave a token', async () => {
    const exchange = new Exchange({
      tools: [
        tool('t', (_, context) => {
          context.progress(1, 2, 'half');
          return '';
        }),
      ],
    });
    await exchange.result('tools/call', { name: 't' });
    expect(exchange.sent).toEqual([]);
    await exchange.result('tools/call', { name: 't', _meta: { progressToken: 0 } });
    expect(exchange.sent).toEqual([
      {
        method: 'notifications/progress',
        params: { progressToken: 0, progress: 1, total: 2, message: 'half' },
      },
    ]);
  });
});

describe('log messages', () => {
  const logger = tool('log', (_, context) => {
    context.log('debug', 'd');
    context.log('info', { n: 1 }, 'part');
    context.log('error', 'e');
    return '';
  });

  it('reach a legacy client from the level it set', async () => {
    const exchange = new Exchange({ tools: [logger], logging: true });
    await exchange.result('tools/call', { name: 'log' });
    expect(exchange.sent.map(({ params }) => params['level'])).toEqual(['info', 'error']);
    await exchange.result('logging/setLevel', { level: 'error' });
    await exchange.result('tools/call', { name: 'log' });
    expect(exchange.sent.slice(2)).toEqual([
      { method: 'notifications/message', params: { level: 'error', data: 'e' } },
    ]);
    expect(await exchange.error('logging/setLevel', { level: 'loud' })).toMatchObject({
      code: -32602,
    });
  });

  it('reach a modern client only when its request asks for them', async () => {
    const exchange = new Exchange({ tools: [logger], logging: true });
    await exchange.result('tools/call', { name: 'log', ...modern() });
    expect(exchange.sent).toEqual([]);
    const level = { 'io.modelcontextprotocol/logLevel': 'debug' };
    await exchange.result('tools/call', { name: 'log', ...modern({}, level) });
    expect(exchange.sent).toHaveLength(3);
  });

  it('that no request asked for reach a legacy client after the handshake, from its level', async () => {
    const exchange = new Exchange({ tools: [], logging: true });
    exchange.server.log('error', 'too early');
    await exchange.result('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    await exchange.result('notifications/initialized');
    exchange.server.log('debug', 'd');
    exchange.server.log('info', { n: 1 }, 'part');
    await exchange.result('logging/setLevel', { level: 'error' });
    exchange.server.log('warning', 'w');
    exchange.session.end();
    exchange.server.log('error', 'too late');
    expect(exchange.sent).toEqual([
      {
        method: 'notifications/message',
        params: { level: 'info', logger: 'part', data: { n: 1 } },
      },
    ]);
  });

  it('reach nobody from a server that does not declare them', async () => {
    const exchange = new Exchange({ tools: [logger] });
    await exchange.result('notifications/initialized');
    exchange.server.log('error', 'e');
    await exchange.result('tools/call', { name: 'log' });
    const level = { 'io.modelcontextprotocol/logLevel': 'debug' };
    await exchange.result('tools/call', { name: 'log', ...modern({}, level) });
    expect(exchange.sent).toEqual([]);
  });
});

describe('subscriptions', () => {
  it('acknowledge what the server can keep, and end with the empty result', async () => {
    const exchange = new Exchange({ tools: [], prompts: [], listChanged: true });
    const listening = exchange.result('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourcesListChanged: true },
      ...modern(),
    });
    await new Promise(setImmediate);
    exchange.server.listChanged('tools');
    exchange.server.listChanged('prompts');
    exchange.session.end();
    expect(await listening).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
    });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
    expect(exchange.sent).toEqual([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true }, _meta },
      },
      { method: 'notifications/tools/list_changed', params: { _meta } },
    ]);
  });

  it('of a modern client end when it cancels', async () => {
    const abort = new AbortController();
    const exchange = new Exchange({ resources: [], subscribe: true });
    const listening = exchange.call(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: ['x:1'] }, ...modern() },
      abort.signal,
    );
    await new Promise(setImmediate);
    exchange.server.resourceUpdated('x:1');
    exchange.server.resourceUpdated('x:2');
    abort.abort();
    await listening;
    exchange.server.resourceUpdated('x:1');
    const updates = exchange.sent.filter(
      ({ method }) => method === 'notifications/resources/updated',
    );
    expect(updates.map(({ params }) => params['uri'])).toEqual(['x:1']);
  });

  it('leave out resources that are not given as a list', async () => {
    const exchange = new Exchange({ resources: [], subscribe: true });
    const notifications = { resourceSubscriptions: 5 };
    const listening = exchange.result('subscriptions/listen', { notifications, ...modern() });
    await new Promise(setImmediate);
    exchange.server.resourceUpdated('x:1');
    exchange.session.end();
    await listening;
    expect(exchange.sent).toMatchObject([{ params: { notifications: {} } }]);
  });

  it('without a filter are refused', async () => {
    const exchange = new Exchange({ tools: [] });
    expect(await exchange.error('subscriptions/listen', modern())).toMatchObject({
      code: -32602,
      data: { path: 'notifications' },
    });
  });

  it('of legacy clients follow subscribe and unsubscribe', async () => {
    const exchange = new Exchange({ tools: [], resources: [], subscribe: true, listChanged: true });
    exchange.server.listChanged('tools');
    expect(exchange.sent).toEqual([]);
    await exchange.notify('notifications/initialized');
    await exchange.result('resources/subscribe', { uri: 'x:1' });
    exchange.server.resourceUpdated('x:1');
    exchange.server.resourceUpdated('x:2');
    await exchange.result('resources/unsubscribe', { uri: 'x:1' });
    exchange.server.resourceUpdated('x:1');
    exchange.server.listChanged('tools');
    expect(exchange.sent.map(({ method }) => method)).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
    expect(await exchange.error('resources/subscribe', {})).toMatchObject({ code: -32602 });
  });
});
