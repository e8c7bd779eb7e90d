import { isDeepStrictEqual } from 'node:util';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import type { Rig } from '../faults/rig.ts';
import { pathAndBody, requestBy } from './callers.ts';
import { excuseCalls, excuseStop, excuseText, type Excuse } from './excuses.ts';
import type { Exchange } from './recordings.ts';
import { framesOf } from '../support/said.ts';
import { classToldToCallers, errorClasses } from './error-class.ts';
import { meaningOf, type ReplyContent, contentFor, toolNamesIn } from './meaning/reply-content.ts';
import { costsAreHidden } from './without-costs.ts';
import { parsed } from '../../src/contract/json-text.ts';

/** A deviation: a failure as a sentence, or a difference with a documented reason. */
export type Problem = string | Excuse | undefined;

const MOST_MS = 45_000;

/** Replays one exchange for one caller. Returns undefined if everything was right, else the deviation. */
export const check = async (rig: Rig, exchange: Exchange, caller: DialectName): Promise<Problem> => {
  const asked = requestBy(caller, exchange);
  const { path, body } = pathAndBody(caller, asked);
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(MOST_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (exchange.status >= 400) return checkError(response.status, bytes, exchange, caller);
  if (isError(exchange)) return checkFailed(response.status, bytes, exchange, caller);
  if (isBrokenOff(exchange)) return checkBrokenOff(bytes);
  if (bytes.includes('lets another model answer'))
    return {
      excuse: 'a model that advises another is refused: its price is not that of the model asked for',
    };
  if (response.status !== 200) return `status ${String(response.status)}: ${bytes.toString().slice(0, 300)}`;
  if (caller === exchange.format) return checkBytes(exchange, bytes);
  return checkContent(exchange, caller, bytes, toolNamesIn(asked));
};

/** A recorded 200 response that reports an error: callers of its own format get it unchanged, others get an error. */
const checkFailed = (
  status: number,
  bytes: Buffer,
  exchange: Exchange,
  caller: DialectName,
): string | undefined =>
  caller === exchange.format && typeof checkBytes(exchange, bytes) !== 'string'
    ? undefined
    : checkError(status, bytes, exchange, caller);

/** Whether the recorded answer reports an error, or ends for a reason that only its own format can express. */
const isError = ({ format, answer }: Exchange): boolean =>
  meaningOf(format, answer.bytes).error !== undefined;

/** Whether a recorded stream ends without a stop reason and without an end mark. Callers then get an error. */
const isBrokenOff = ({ format, answer }: Exchange): boolean => {
  if (answer.contentType !== 'text/event-stream' || endsWithMark(answer.bytes)) return false;
  return meaningOf(format, answer.bytes).answers.every(({ stop }) => stop === undefined);
};

const checkBrokenOff = (bytes: Buffer): Problem =>
  /"error":(?!null)/.test(bytes.toString())
    ? { excuse: 'the upstream breaks off without a stop reason; callers get an error' }
    : 'the caller gets no error although the upstream broke off';

/** An error must stay an error, must have a message, and must be about the same. */
const checkError = (
  status: number,
  bytes: Buffer,
  exchange: Exchange,
  caller: DialectName,
): string | undefined => {
  if (exchange.status >= 400 && status < 400)
    return `an error of ${String(exchange.status)} became ${String(status)}`;
  // A stream that has already begun ends with the error.
  if (status === 200)
    return bytes.includes('error')
      ? checkClass(status, bytes, exchange, caller)
      : 'the error does not reach the caller';
  try {
    const message = (JSON.parse(bytes.toString()) as { error?: { message?: unknown } }).error?.message;
    return typeof message === 'string' && message !== ''
      ? checkClass(status, bytes, exchange, caller)
      : 'the error has no message';
  } catch {
    return 'the error is not JSON';
  }
};

/** Whether the caller's error is about what the upstream's was about. @param format whose words the upstream uses */
export const checkClass = (
  status: number,
  bytes: Buffer,
  { format, status: given, answer }: Pick<Exchange, 'format' | 'status' | 'answer'>,
  caller: DialectName,
): string | undefined => {
  const was = errorClasses(format, given, answer.bytes).map(classToldToCallers);
  const is = errorClasses(caller, status, bytes);
  return was.some((one) => is.includes(one)) || was.length === 0
    ? undefined
    : `an error about ${was.join(' or ')} became one about ${is.join(' or ') || 'nothing known'}: ${bytes.toString().slice(0, 300)}`;
};

const checkBytes = (exchange: Exchange, bytes: Buffer): Problem => {
  const { bytes: sent } = exchange.answer;
  if (bytes.equals(sent)) return undefined;
  if (exchange.answer.contentType !== 'text/event-stream')
    return costsAreHidden(sent, bytes) ?? 'other bytes';
  // Data after the end mark is not passed on, nor is an unfinished event.
  const shown = framesOf(sent).filter(({ unterminated }) => unterminated !== true);
  const whole = Buffer.concat(shown.map(({ raw }) => raw));
  const hidden = costsAreHidden(whole, bytes);
  const isBeginning = hidden !== undefined || whole.subarray(0, bytes.length).equals(bytes);
  const isOver = whole.subarray(bytes.length).toString().trim() === '' || endsWithMark(bytes);
  return isBeginning && isOver ? hidden : `other bytes: ${String(bytes.length)} of ${String(whole.length)}`;
};

/** Whether the last event is the end mark of its format. */
const endsWithMark = (bytes: Buffer): boolean => {
  const last = framesOf(bytes)
    .filter(({ data }) => data.length > 0)
    .at(-1);
  if (last === undefined) return false;
  const text = last.data.toString().trim();
  // A stream that broke off inside its end mark has none.
  if (last.unterminated === true && text !== '[DONE]' && parsed(text) === undefined) return false;
  const type = /"type": ?"(message_stop|response\.(?:completed|incomplete|failed))"/.exec(text)?.[1];
  return text === '[DONE]' || type !== undefined;
};

const ONE_ANSWER: ReadonlySet<DialectName> = new Set(['openai-responses', 'anthropic-messages']);

const checkContent = (
  exchange: Exchange,
  caller: DialectName,
  bytes: Buffer,
  tools: ReadonlySet<string>,
): Problem => {
  // A caller whose format has only one answer per reply gets the first.
  const upstream = contentFor(meaningOf(exchange.format, exchange.answer.bytes), {
    isOne: ONE_ANSWER.has(caller),
    tools,
  });
  return difference(caller, upstream, contentReceived(caller, bytes));
};

/** The content that a caller of this format received. */
export const contentReceived = (caller: DialectName, bytes: Buffer): ReplyContent =>
  contentFor(meaningOf(caller, bytes), { isOne: false, tools: undefined });

/** How the content that the caller received differs from the upstream's reply. */
export const difference = (caller: DialectName, upstream: ReplyContent, received: ReplyContent): Problem => {
  const differs = (what: string, was: unknown, is: unknown): string | undefined =>
    isDeepStrictEqual(was, is)
      ? undefined
      : `${what}: ${JSON.stringify(was)?.slice(0, 300)} became ${JSON.stringify(is)?.slice(0, 300)}`;
  const text = differs('text', upstream.text + upstream.refusal, received.text + received.refusal);
  const stop = differs('stop reason', upstream.finish, received.finish);
  const calls = differs('calls', upstream.calls.map(nameAndArguments), received.calls.map(nameAndArguments));
  const failure =
    (calls === undefined ? undefined : (excuseCalls(upstream, received) ?? calls)) ??
    differs('ids of calls', true, idsOf(received).size >= idsOf(upstream).size) ??
    differs('usage', upstream.usage, received.usage) ??
    differs(
      'thoughts',
      upstream.reasoning,
      upstream.reasoning === undefined ? undefined : received.reasoning,
    );
  if (failure !== undefined) return failure;
  return (
    (text === undefined ? undefined : (excuseText(upstream, received) ?? text)) ??
    (stop === undefined ? undefined : (excuseStop(caller, upstream, received) ?? stop))
  );
};

const idsOf = ({ calls }: ReplyContent): ReadonlySet<string> => new Set(calls.map(({ id }) => id));

const nameAndArguments = ({ name, arguments: text }: ReplyContent['calls'][number]) => ({
  name,
  arguments: text,
});
