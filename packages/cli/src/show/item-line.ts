import { formatBytes, formatMs } from '../format/measure.ts';
import type { Paint } from '../format/paint.ts';
import { cut, pad, preview, printable, widthOf } from '../format/text.ts';
import { type CallItem, isFailed, type TimelineItem } from './timeline.ts';

/** How items are shown. */
export interface ItemStyle {
  readonly paint: Paint;
  readonly width: number;
  /** Time that counts as zero. */
  readonly startMs: number;
}

/** One item on one line. */
export function itemLine(item: TimelineItem, { paint, width, startMs }: ItemStyle): string {
  const offset = (item.timeMs - startMs) / 1000;
  const time = paint.dim(pad(`+${offset.toFixed(3)}s`, 10, 'right'));
  const room = width - 14;
  if (item.kind === 'call') return `${time} ${arrow(item, paint)} ${callLine(item, paint, room)}`;
  if (item.kind === 'notification') {
    const head = printable(item.method);
    const rest = preview(item.params, Math.max(8, room - widthOf(head)));
    return `${time} ${arrow(item, paint)} ${head} ${paint.dim(rest)}`.trimEnd();
  }
  if (item.kind === 'stray') {
    const text = cut(printable(item.text), room - 6);
    const label = item.source === 'stdout' ? paint.red('stdout') : paint.dim('stderr');
    return `${time} ${label} ${item.source === 'stdout' ? paint.red(text) : paint.dim(text)}`;
  }
  if (item.kind === 'odd') {
    return `${time} ${arrow(item, paint)} ${paint.red('answer to nothing')} ${preview(item.message, room - 20)}`;
  }
  const how = item.signal === null ? `exit code ${item.exitCode}` : `ended by ${item.signal}`;
  return `${time} ${item.exitCode === 0 ? paint.dim(`■ ${how}`) : paint.yellow(`■ ${how}`)}`;
}

function arrow({ direction }: { readonly direction: string }, paint: Paint): string {
  return direction === 'client→server' ? paint.cyan('→') : paint.magenta('←');
}

function callLine(item: CallItem, paint: Paint, room: number): string {
  const name = calledName(item);
  const head = `${printable(item.method)}${name === '' ? '' : ` ${printable(name)}`}`;
  const { answer } = item;
  const progress = item.progress === 0 ? '' : ` ${item.progress}×progress`;
  if (answer === undefined) {
    const rest = preview(item.params, Math.max(8, room - widthOf(head) - 14));
    return `${paint.bold(head)} ${paint.yellow('no answer')}${progress} ${paint.dim(rest)}`.trimEnd();
  }
  const size = `${formatBytes(item.bytesOut)} → ${formatBytes(answer.bytes)}`;
  const facts = `${formatMs(answer.latencyMs)}  ${size}${progress}`;
  const left = Math.max(8, room - widthOf(head) - widthOf(facts) - 5);
  if (isFailed(item)) {
    return `${paint.bold(head)}  ${facts}  ${paint.red(`✗ ${failureText(answer, left)}`)}`;
  }
  return `${paint.bold(head)}  ${paint.dim(facts)}  ${paint.green('✓')} ${paint.dim(preview(answer.result, left))}`;
}

/** What a call is about: the tool, the prompt, the resource. */
export function calledName({ method, params }: CallItem): string {
  const { name, uri } = Object(params) as Record<string, unknown>;
  if (method === 'tools/call' || method === 'prompts/get') return String(name ?? '');
  return method.startsWith('resources/') && uri !== undefined ? String(uri) : '';
}

function failureText({ error, result }: NonNullable<CallItem['answer']>, width: number): string {
  if (error === undefined) {
    const { content } = Object(result) as { content?: readonly { readonly text?: unknown }[] };
    const text = Array.isArray(content) ? content[0]?.text : undefined;
    return typeof text === 'string' ? cut(printable(text), width) : preview(content, width);
  }
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return cut(printable(`${String(code)} ${String(message)}`), width);
}
