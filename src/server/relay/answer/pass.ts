import { isAscii } from 'node:buffer';
import { answeredByPage, answerUnread, type AppError, asAppError } from '#core/error.ts';
import { parsedFields } from '#core/json/fields.ts';
import { SecretStream } from '#core/secrets/secret-stream.ts';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { newMeter } from '../bill/meter.ts';
import { type Answer, type BytesAnswer, PAGE, type WholeAnswer } from './answer.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { paidWhole } from './paid-words.ts';
import type { RelayDeps } from '../ports.ts';
import { type Charging, brokenOff, drained } from './repeat.ts';
import type { Answered } from '../stages.ts';

/** Headers of an audio or text answer that matter to the caller. */
const PASSED_HEADERS = ['content-type', 'content-length', 'content-disposition'] as const;

/**
 * A length is passed on only if it delimited the body. Beside chunked encoding it is only a claim; a wrong one would
 * make the caller cut the answer short.
 */
const passedHeaders = ({ headers: sent }: OutboundReply): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = sent[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const isMeasured = sent['transfer-encoding'] === undefined && /^\d+$/.test(headers['content-length'] ?? '');
  if (!isMeasured) delete headers['content-length'];
  return headers;
};

const NO_TEXT = /^\s*(?:audio|image|video|application\/octet-stream)\b/i;

/** Whether a whole reply is JSON, as most are; anything else is passed on as it comes. */
export const isJsonReply = ({ headers }: OutboundReply): boolean => {
  const type = headers['content-type'];
  return type === 'application/json' || /^application\/(?:[\w.-]+\+)?json\b/i.test(String(type ?? ''));
};

/** What may stand before the JSON of an error that arrives as an event. */
const BEFORE_JSON = /^\s{0,20}(?:event:[^\n]{0,100}\n)?(?:data:\s{0,20})?(?=\{)/;
/** A longer body is not an error. */
const ERROR_MAX_BYTES = 64 * 1024;

/**
 * The error that an answer consists of, whatever its content type: a web page, or an error alone or in the first event.
 */
const errorIn = (first: Buffer, { tapWhole }: Pick<Wire, 'tapWhole'>): AppError | undefined => {
  const head = first.toString('latin1', 0, 200);
  if (PAGE.test(head)) return answeredByPage();
  const before = BEFORE_JSON.exec(head);
  if (before === null || first.length > ERROR_MAX_BYTES) return undefined;
  const [text = ''] = first.toString('utf8', before[0].length).split('\n\n', 1);
  const fields = parsedFields(text);
  return fields && tapWhole(fields).error;
};

/**
 * Waits for the first bytes of an audio or text answer. A web page, an error under status 200 or an empty body counts as
 * a failure.
 */
export const bytesAnswer = async (reply: OutboundReply, format: Pick<Wire, 'tapWhole'>): Promise<Answer> => {
  if (/^text\/html\b/i.test(String(reply.headers['content-type'] ?? ''))) {
    reply.body.discard();
    throw answeredByPage();
  }
  const rest = reply.body[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) throw answerUnread('the upstream answered with nothing');
  const error = errorIn(first.value, format);
  if (error !== undefined) {
    reply.body.discard();
    throw error;
  }
  const meter = newMeter();
  meter.produced = true;
  return {
    kind: 'bytes',
    status: reply.status,
    headers: passedHeaders(reply),
    first: first.value,
    rest,
    meter,
    discard: () => reply.body.discard(),
  };
};

/**
 * Passes on an answer that is neither JSON nor events, no faster than the caller reads. The end is kept back until the
 * answer is charged: the last bytes if the length is known, else only the end of the body. If the answer breaks off,
 * the caller's connection is closed too, because there is no other way to report it.
 */
export const pass = async (
  deps: Pick<RelayDeps, 'clock'>,
  answered: Answered,
  answer: BytesAnswer,
  { checkpoint, close }: Charging,
): Promise<void> => {
  const { live, call, secrets } = answered;
  const { outlet } = live;
  const { reply } = call;
  const { rest, meter, discard } = answer;
  outlet.insideEvent = true;
  const passed = Object.entries(answer.headers).map(([name, value]) => [name, secrets.maskText(value)]);
  const headers = Object.fromEntries(passed) as Record<string, string>;
  const isText = isAscii(answer.first) || !NO_TEXT.test(answer.headers['content-type'] ?? '');
  const shown = new SecretStream(secrets, isText);
  const check = checkOfText(answered, answer);
  let leftBytes = Number(headers['content-length'] ?? Infinity);
  const show = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    leftBytes -= bytes.length;
    if (leftBytes > 0) outlet.write(bytes);
    else outlet.keepEnd(bytes);
  };
  let chunk: Buffer | undefined = answer.first;
  try {
    check?.(chunk);
    reply.start(answer.status, { ...headers, ...outlet.rateHeaders });
    while (chunk !== undefined) {
      show(shown.take(chunk));
      outlet.lastWriteMs = deps.clock.monotonic();
      checkpoint(answered, outlet.lastWriteMs);
      if (outlet.isFull) await drained(answered);
      if (reply.gone) throw live.stopped ?? brokenOff();
      const next: IteratorResult<Buffer> = await rest.next();
      chunk = next.done === true ? undefined : next.value;
      if (chunk !== undefined) check?.(chunk);
    }
    show(shown.end());
  } catch (thrown) {
    discard();
    throw live.stopped ?? asAppError(thrown);
  }
  meter.finished = true;
  await close();
  reply.end(outlet.takeEnd());
};

/** Searches the pieces of a text for sensitive words, such as a transcript; undefined for sound, or if nothing is searched. */
const checkOfText = (
  { call, checkReply }: Pick<Answered, 'call' | 'checkReply'>,
  { headers }: BytesAnswer,
): ((piece: Buffer) => void) | undefined => {
  if (checkReply === undefined || call.operation === 'speech' || NO_TEXT.test(headers['content-type'] ?? ''))
    return undefined;
  const decoder = new TextDecoder();
  return (piece) => checkReply({ text: decoder.decode(piece, { stream: true }) });
};

/** The text to search for sensitive words; if another thread read the reply, only the word it found. */
const checkedBy = ({ body, far }: WholeAnswer, converted: Buffer | undefined): unknown => {
  if (far !== undefined) return far.word === undefined ? {} : { text: far.word };
  return converted === undefined ? body : JSON.parse(converted.toString());
};

/**
 * Sends a whole reply to the caller once it is charged.
 * @param converted the reply in the caller's format; undefined to send it unchanged
 */
export const giveWhole = async (
  answered: Answered,
  answer: WholeAnswer,
  converted: Buffer | undefined,
  { close }: Pick<Charging, 'close'>,
): Promise<void> => {
  const { call, live, checkReply } = answered;
  const { reply } = call;
  live.wholeReply = answer.body;
  checkReply?.(checkedBy(answer, converted));
  await close();
  const bytes = paidWhole(answered, converted ?? answer.bytes);
  // Some upstreams answer 201; in the caller's format an answer is 200.
  reply.start(converted === undefined ? answer.status : 200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...live.outlet.rateHeaders,
  });
  reply.end(bytes);
};
