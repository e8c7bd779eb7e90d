import { isDeepStrictEqual } from 'node:util';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { Rig } from '../faults/rig.ts';
import { pathAndBody, requestBy } from './callers.ts';
import { excuseCalls, excuseStop, excuseText, type Excuse } from './excuses.ts';
import type { Exchange } from './recordings.ts';
import { eventsOf, framesOf, type Said, saidIn } from '../support/said.ts';
import { parsed } from '../../src/contract/text.ts';

/** What was not right: a failure in words, or a difference that has a reason. */
export type Problem = string | Excuse | undefined;

const MOST_MS = 45_000;

/** What came of one exchange and one caller: undefined where everything was right, else what was not. */
export const check = async (rig: Rig, exchange: Exchange, caller: DialectName): Promise<Problem> => {
  const { path, body } = pathAndBody(caller, requestBy(caller, exchange));
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(MOST_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (exchange.status >= 400) return checkError(response.status, bytes, exchange);
  if (await isError(exchange)) return checkFailed(response.status, bytes, exchange, caller);
  if (await isBrokenOff(exchange)) return checkBrokenOff(bytes);
  if (response.status !== 200) return `status ${String(response.status)}: ${bytes.toString().slice(0, 300)}`;
  if (caller === exchange.format) return checkBytes(exchange, bytes);
  return checkSaid(exchange, caller, bytes);
};

/** An answer under 200 that is none: its own format has it as it came, others an error. */
const checkFailed = (
  status: number,
  bytes: Buffer,
  exchange: Exchange,
  caller: DialectName,
): string | undefined =>
  caller === exchange.format && checkBytes(exchange, bytes) === undefined
    ? undefined
    : checkError(status, bytes, exchange);

/** Whether a recorded stream ends with an error, or an answer as one that only its own format has a word for. */
const isError = async ({ format, answer }: Exchange): Promise<boolean> => {
  const isEvents = answer.contentType === 'text/event-stream';
  const events = await eventsOf(chatDialects[format], answer.bytes, isEvents).catch(() => []);
  return saidIn(events).error !== undefined;
};

/** Whether a recorded stream ends before it has said why, without a mark either: whoever gets it is told so. */
const isBrokenOff = async ({ format, answer }: Exchange): Promise<boolean> => {
  if (answer.contentType !== 'text/event-stream' || endsWithMark(answer.bytes)) return false;
  return saidIn(await eventsOf(chatDialects[format], answer.bytes, true)).finish.length === 0;
};

const checkBrokenOff = (bytes: Buffer): Problem =>
  /"error":(?!null)/.test(bytes.toString())
    ? { excuse: 'the upstream breaks off without saying why; that is told as an error' }
    : 'nothing tells that the upstream broke off';

/** An error keeps its class: what the caller did wrong stays its mistake, anything else is not called one. */
const checkError = (status: number, bytes: Buffer, exchange: Exchange): string | undefined => {
  if (exchange.status >= 400 && status < 400)
    return `an error of ${String(exchange.status)} became ${String(status)}`;
  // A stream that had begun ends with the error.
  if (status === 200) return bytes.includes('error') ? undefined : 'the error is not told';
  try {
    const message = (JSON.parse(bytes.toString()) as { error?: { message?: unknown } }).error?.message;
    return typeof message === 'string' && message !== '' ? undefined : 'the error has no message';
  } catch {
    return 'the error is not JSON';
  }
};

const checkBytes = (exchange: Exchange, bytes: Buffer): string | undefined => {
  const { bytes: sent } = exchange.answer;
  if (bytes.equals(sent)) return undefined;
  if (exchange.answer.contentType !== 'text/event-stream') return 'other bytes';
  // What comes after the end mark is not repeated, nor an event that never ended.
  const shown = framesOf(sent).filter(({ unterminated }) => unterminated !== true);
  const whole = Buffer.concat(shown.map(({ raw }) => raw));
  const isBeginning = whole.subarray(0, bytes.length).equals(bytes);
  const isOver = whole.subarray(bytes.length).toString().trim() === '' || endsWithMark(bytes);
  return isBeginning && isOver
    ? undefined
    : `other bytes: ${String(bytes.length)} of ${String(whole.length)}`;
};

/** Whether the last event is the end mark of its format. */
const endsWithMark = (bytes: Buffer): boolean => {
  const last = framesOf(bytes)
    .filter(({ data }) => data.length > 0)
    .at(-1);
  if (last === undefined) return false;
  const text = last.data.toString().trim();
  // What broke off in the middle of its mark has none.
  if (last.unterminated === true && text !== '[DONE]' && parsed(text) === undefined) return false;
  const type = /"type": ?"(message_stop|response\.(?:completed|incomplete|failed))"/.exec(text)?.[1];
  return text === '[DONE]' || type !== undefined;
};

const ONE_ANSWER: ReadonlySet<DialectName> = new Set(['openai-responses', 'anthropic-messages']);

const checkSaid = async (exchange: Exchange, caller: DialectName, bytes: Buffer): Promise<Problem> => {
  const isEvents = exchange.answer.contentType === 'text/event-stream';
  const sent = await eventsOf(chatDialects[exchange.format], exchange.answer.bytes, isEvents);
  // Who speaks a format of one answer could only have asked for one.
  const heard = ONE_ANSWER.has(caller)
    ? sent.filter((event) => !('choice' in event) || event.choice === 0)
    : sent;
  const said = saidIn(await eventsOf(chatDialects[caller], bytes, exchange.stream));
  return difference(caller, saidIn(heard), said);
};

/** What of a reply came out otherwise, `said` being what a caller was told of `upstream`. */
export const difference = (caller: DialectName, upstream: Said, said: Said): Problem => {
  const differs = (what: string, was: unknown, is: unknown): string | undefined =>
    isDeepStrictEqual(was, is)
      ? undefined
      : `${what}: ${JSON.stringify(was)?.slice(0, 300)} became ${JSON.stringify(is)?.slice(0, 300)}`;
  const text = differs('text', upstream.text + upstream.refusal, said.text + said.refusal);
  const stop = differs('stop reason', upstream.finish, said.finish);
  const calls = differs('calls', upstream.calls.map(nameAndArguments), said.calls.map(nameAndArguments));
  const firm =
    (calls === undefined ? undefined : (excuseCalls(upstream, said) ?? calls)) ??
    differs('ids of calls', true, idsOf(said).size >= idsOf(upstream).size) ??
    differs('usage', upstream.usage, said.usage);
  if (firm !== undefined) return firm;
  const excuse =
    (text === undefined ? undefined : (excuseText(upstream, said) ?? text)) ??
    (stop === undefined ? undefined : (excuseStop(caller, upstream, said) ?? stop));
  return excuse;
};

const idsOf = ({ calls }: Said): ReadonlySet<string> => new Set(calls.map(({ id }) => id));

const nameAndArguments = ({ name, arguments: text }: Said['calls'][number]) => ({ name, arguments: text });
