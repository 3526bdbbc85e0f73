import { LATEST_LEGACY, LATEST_MODERN } from 'tincan-mcp';
import type { Framing } from 'tincan-wire';
import { version } from '../help/version.ts';
import { Probe, type SeenMessage, type ServerSpec } from './probe.ts';

/** How long things may take, and how large. */
export interface Limits {
  readonly startMs: number;
  readonly answerMs: number;
  readonly largeBytes: number;
}

/** What the first runs taught about the server. */
export interface Profile {
  readonly isMcp: boolean;
  readonly framing: Framing;
  readonly legacy: SeenMessage | undefined;
  readonly modern: SeenMessage | undefined;
}

const CLIENT = { name: 'tincan-check', version: version() };

/** Parameters of the legacy handshake. */
export const INITIALIZE: object = {
  protocolVersion: LATEST_LEGACY,
  capabilities: {},
  clientInfo: CLIENT,
};

const ENVELOPE: object = {
  'io.modelcontextprotocol/protocolVersion': LATEST_MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The server under test: starts it for each check, ready to be spoken to, and remembers every run. */
export class Patient {
  readonly limits: Limits;
  readonly runs: Probe[] = [];
  profile: Profile = { isMcp: false, framing: 'line', legacy: undefined, modern: undefined };
  readonly #spec: ServerSpec;

  constructor(spec: ServerSpec, limits: Limits) {
    this.#spec = spec;
    this.limits = limits;
  }

  /** Whether it was initialized the legacy way, which most checks use where there is a choice. */
  get isLegacy(): boolean {
    return isResult(this.profile.legacy);
  }

  async start(framing: Framing = this.profile.framing): Promise<Probe> {
    const probe = await Probe.start(this.#spec);
    probe.framing = framing;
    this.runs.push(probe);
    return probe;
  }

  /** A run with the handshake behind it. */
  async ready(framing: Framing = this.profile.framing): Promise<Probe> {
    const probe = await this.start(framing);
    if (!this.profile.isMcp) return probe;
    if (!this.isLegacy) {
      await probe.ask(this.discovery('ready'), this.limits.startMs);
      return probe;
    }
    await probe.ask({ id: 'ready', method: 'initialize', params: INITIALIZE }, this.limits.startMs);
    probe.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return probe;
  }

  /** The request that asks a modern server who it is. */
  discovery(id: unknown): { id: unknown; method: string; params: object } {
    return { id, method: 'server/discover', params: { _meta: ENVELOPE } };
  }

  /** A request any server of its kind answers, be it with an error. */
  ping(id: unknown): { readonly jsonrpc: '2.0'; id: unknown; method: string; params?: object } {
    if (this.profile.isMcp && !this.isLegacy) return { jsonrpc: '2.0', ...this.discovery(id) };
    return { jsonrpc: '2.0', id, method: 'ping' };
  }

  /** Parameters with what the era wants in them. */
  params(params: object = {}): object {
    return this.profile.isMcp && !this.isLegacy ? { ...params, _meta: ENVELOPE } : params;
  }

  /** Whether the server answers a ping now. */
  async isWell(probe: Probe, id: unknown = 'still-there'): Promise<boolean> {
    return (await probe.ask(this.ping(id), this.limits.answerMs)) !== undefined;
  }

  /** Waits for what follows a ping's answer at once: answers that come late, or that should not come. */
  async settle(probe: Probe): Promise<void> {
    await probe.until(() => false, Math.min(300, this.limits.answerMs));
  }
}

/** Whether a message is an answer that carries a result. */
export function isResult(message: SeenMessage | undefined): boolean {
  return message !== undefined && 'result' in message.value;
}

/** The code of an error answer. */
export function errorCode(message: SeenMessage | undefined): unknown {
  return Object(message?.value['error']).code;
}

/** How a run ended, in words. */
export function endOf(probe: Probe): string {
  const { ended } = probe;
  if (ended === undefined) return 'is still running';
  const how = ended.signal === null ? `exit code ${ended.exitCode}` : ended.signal;
  const last = probe.stderr.trim().split('\n').at(-1) ?? '';
  return `ended (${how}${last === '' ? '' : `; stderr: ${last.slice(0, 160)}`})`;
}
