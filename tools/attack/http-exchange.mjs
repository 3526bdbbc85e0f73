// One connection to an HTTP server, byte by byte: nothing is added, checked or repaired on the way.

import { connect } from 'node:net';

/**
 * Sends bytes and resolves with the first response, or with `isClosed` alone when the server hung up without
 * one. `all` waits until the server closes and counts the responses; `headOnly` waits for no body.
 */
export function exchangeBytes(port, bytes, { all = false, headOnly = false } = {}) {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of [bytes].flat()) socket.write(piece);
    });
    const finish = (isClosed) => {
      resolve({
        ...parseResponse(text),
        isClosed,
        count: text.split(/HTTP\/1\.1 (?=\d)/).length - 1,
      });
      socket.destroy();
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (headOnly ? text.includes('\r\n\r\n') : !all && isComplete(text)) finish(false);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/** The text of a request. `headers` is a list, so that one can come twice. */
export function requestText({ method = 'POST', path = '/rpc', headers = [], body = '' } = {}) {
  const given = headers.map(([name]) => name.toLowerCase());
  const usual = [
    ['Host', '127.0.0.1'],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ].filter(([name]) => !given.includes(name.toLowerCase()));
  const lines = [...usual, ...headers.filter(([, value]) => value !== undefined)];
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

function parseResponse(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return { status: undefined, headers: {}, body: '', raw: text };
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const sent = text.slice(end + 4);
  const whole = headers['transfer-encoding'] === 'chunked' ? joinChunks(sent) : sent;
  const body = Buffer.from(whole, 'latin1').toString('utf8');
  return { status: Number(first.split(' ')[1]), headers, body, raw: text, json: parse(body) };
}

function isComplete(text) {
  const { status, headers, raw } = parseResponse(text);
  if (status === undefined || status === 100) return false;
  const size = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(size))
    return headers['transfer-encoding'] === 'chunked' && raw.endsWith('0\r\n\r\n');
  return raw.length - raw.indexOf('\r\n\r\n') - 4 >= size;
}

function joinChunks(text) {
  let whole = '';
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, end), 16);
    if (end < 0 || !(size > 0)) return whole;
    whole += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** Text that is not JSON stays undefined, which no expectation matches. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
