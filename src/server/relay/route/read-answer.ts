import type { Frame } from '../../dialects/frame.ts';
import { MAX_CONVERTED_BYTES, MAX_EVENT_BYTES } from '../../dialects/sse.ts';
import { type Answer, wholeAnswer } from '../answer/answer.ts';
import type { AnswerShare } from '../answer/answer-room.ts';
import { asEvents } from '../answer/as-events.ts';
import { bytesAnswer, isJsonReply } from '../answer/pass.ts';
import { streamAnswer } from '../answer/stream-answer.ts';
import { callersReply } from '../answer/whole-reply.ts';
import type { Meter } from '../bill/meter.ts';
import { tappedFar } from '../far/far-events.ts';
import { farReading } from '../far/far-whole.ts';
import { responseIn } from '../kept/response-fields.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Parts } from '../parts.ts';
import { withFailuresAsErrors } from '../request/format.ts';
import type { Sent } from '../stages.ts';
import type { AttemptTime } from './attempt-time.ts';

/** What one attempt may use: its time, and the memory for its answer. */
export interface Allowed {
  readonly time: AttemptTime;
  readonly room: AnswerShare;
}

type ReadDeps = Pick<Parts, 'farThreads' | 'noteUnpaid'>;

/** A large reply waits in a queue to be read; a longer wait means that its thread is broken. */
const MOST_HEARING_MS = 120_000;

/** Reads what can be given to the caller. Throws what is wrong with it. */
export const readAnswer = (
  deps: ReadDeps,
  at: Sent,
  attempt: LiveAttempt,
  { time, room }: Allowed,
): Promise<Answer> => {
  const { reply, request, format, wire, secrets, upstream, live, call } = at;
  const { facts, fields } = request;
  const unpaid = (meter: Meter): void => {
    attempt.meter = meter;
    if (attempt.givenUp === undefined) deps.noteUnpaid(at, at, meter);
  };
  const telling = format.name === wire.name ? format : withFailuresAsErrors(format);
  // A background response may take long, and the id in its first event is enough to fetch it later.
  const mayComeLater = live.background !== undefined;
  const begins = mayComeLater ? (frame: Frame) => responseIn(frame) !== undefined : undefined;
  // Once a reply is complete, only reading it has a time limit.
  const hasCome = () => time.limit('end', MOST_HEARING_MS);
  if (facts.stream)
    return streamAnswer(asEvents(at), telling, secrets, {
      room,
      unpaid,
      mayComeLater,
      far: farReading(deps.farThreads, at, { isForStream: true }),
      hasCome,
      begins,
      maxEventBytes: telling === format ? MAX_EVENT_BYTES : MAX_CONVERTED_BYTES,
      seesFar: (frames) => tappedFar(deps.farThreads, at, frames),
    });
  const isJson = isJsonReply(reply);
  if (wire.answersInBytes === true && !isJson) return bytesAnswer(reply, telling);
  const asking = { operation: call.operation, model: at.upstreamModel, stream: false };
  const asCaller = isJson ? callersReply(upstream, asking, fields) : undefined;
  return wholeAnswer(reply, telling, secrets, {
    room,
    unpaid,
    mayComeLater,
    asCaller,
    far: farReading(deps.farThreads, at, { isForCaller: asCaller !== undefined }),
    isFar: asCaller !== undefined && request.far !== undefined,
    hasCome,
  });
};
