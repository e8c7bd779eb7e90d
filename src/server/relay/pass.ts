import { isAscii } from 'node:buffer';
import { asAppError } from '#core/error.ts';
import { SecretStream } from '#core/secret-stream.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { newMeter } from './meter.ts';
import type { Answer, BytesAnswer } from './answer.ts';
import type { RelayDeps } from './ports.ts';
import { brokenOff, drained } from './repeat.ts';
import type { Running } from './running.ts';
import { upstreamFailed } from './upstream-failed.ts';

/** Headers of a sound or a text that mean something to whoever gets it. */
const PASSED_HEADERS = ['content-type', 'content-length', 'content-disposition'] as const;

/**
 * A length is only repeated where it is what the body was read by: beside chunks it is a claim, and a caller's connection
 * would end the answer where the upstream pleases.
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
export const isJsonReply = ({ headers }: OutboundReply): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers['content-type'] ?? ''));

/** Waits for the first bytes of a sound or a text: a web page and nothing at all are failures like any other. */
export const bytesAnswer = async (reply: OutboundReply): Promise<Answer> => {
  if (/^text\/html\b/i.test(String(reply.headers['content-type'] ?? ''))) {
    reply.body.discard();
    throw upstreamFailed('the upstream answered with a web page');
  }
  const rest = reply.body[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) throw upstreamFailed('the upstream answered with nothing');
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
 * Repeats what is neither JSON nor a stream of events, as it comes and no faster than the caller reads. Cut off in the
 * middle, the caller's connection is cut as well: there is no other way to say so.
 */
export const pass = async (
  deps: Pick<RelayDeps, 'clock'>,
  running: Running,
  answer: BytesAnswer,
): Promise<void> => {
  const { outlet } = running;
  const { reply } = running.call;
  const { rest, meter, discard } = answer;
  outlet.insideEvent = true;
  const { secrets } = running;
  const passed = Object.entries(answer.headers).map(([name, value]) => [name, secrets.maskText(value)]);
  const headers = Object.fromEntries(passed) as Record<string, string>;
  const isText = isAscii(answer.first) || !NO_TEXT.test(answer.headers['content-type'] ?? '');
  const shown = new SecretStream(secrets, isText);
  const show = (bytes: Buffer): void => void (bytes.length > 0 && outlet.write(bytes));
  reply.start(answer.status, { ...headers, ...running.rateHeaders });
  let chunk: Buffer | undefined = answer.first;
  try {
    while (chunk !== undefined) {
      show(shown.take(chunk));
      outlet.lastWriteMs = deps.clock.monotonic();
      if (outlet.isFull) await drained(running);
      if (reply.gone) throw running.stopped ?? brokenOff();
      const next: IteratorResult<Buffer> = await rest.next();
      chunk = next.done === true ? undefined : next.value;
    }
    show(shown.end());
  } catch (thrown) {
    discard();
    throw running.stopped ?? asAppError(thrown);
  }
  meter.finished = true;
  reply.end();
};
