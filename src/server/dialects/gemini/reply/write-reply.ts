import type { ChatEvent } from '#core/chat/event.ts';
import { JoinedStatements } from '#core/chat/joined-statements.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { StreamWriter } from '../../dialect.ts';
import type { Frame } from '../../frame.ts';
import type { Fields } from '#core/json/fields.ts';
import { writeFrame } from '../../sse.ts';
import { errorFrames, writeError } from '../error.ts';
import { BARE_SAMPLES } from '../speech.ts';
import { CandidateWriter, noStart, writeHead, writeUsageEvent } from './write-candidate.ts';

/** Combines events into one whole response. An error among them becomes the response. */
export const writeWhole = (events: readonly ChatEvent[], asked?: ChatRequest): unknown => {
  const failed = events.find((event) => event.type === 'error');
  if (failed?.type === 'error') return writeError(failed.error, '').body;
  const reply = new ReplyWriter(asked);
  const parts = new Map<CandidateWriter, Fields[]>();
  for (const event of events) {
    const noted = reply.note(event);
    if (noted === undefined) continue;
    const known = parts.get(noted.writer);
    if (known === undefined) parts.set(noted.writer, noted.parts);
    else known.push(...noted.parts);
  }
  return reply.last((writer) =>
    joinTexts([...(parts.get(writer) ?? []), ...writer.flush()], writer.statements),
  );
};

/**
 * Writes events as chunks of a stream; the last one has finish reasons and usage. This format has no end mark, and
 * nothing follows an error.
 */
export const openWriter = (asked?: ChatRequest): StreamWriter => {
  const reply = new ReplyWriter(asked);
  let hasFailed = false;
  return {
    write: (event) => {
      if (event.type === 'error') {
        hasFailed = true;
        return [...wordsOf(reply), ...errorFrames(event.error, event.requestId ?? '')];
      }
      const noted = reply.note(event);
      return noted === undefined || noted.parts.length === 0 ? [] : [reply.piece(noted.writer, noted.parts)];
    },
    end: () => (hasFailed ? [] : endOf(reply)),
  };
};

const wordsOf = (reply: ReplyWriter): Frame[] =>
  reply.writers.flatMap((writer) => {
    const parts = writer.flushWords();
    return parts.length === 0 ? [] : [reply.piece(writer, parts)];
  });

const endOf = (reply: ReplyWriter): Frame[] => {
  const frames: Frame[] = [];
  for (const writer of reply.writers) {
    const parts = writer.flush();
    if (parts.length > 0) frames.push(reply.piece(writer, parts));
  }
  const last = reply.last(() => [{ text: '' }]);
  if (
    last['candidates'] !== undefined ||
    last['usageMetadata'] !== undefined ||
    last['promptFeedback'] !== undefined
  )
    frames.push(writeFrame(JSON.stringify(last)));
  return frames;
};

/** The state of a response while it is written. */
class ReplyWriter {
  #head: Fields = writeHead(noStart);
  #usage: Fields | undefined;
  readonly #statements = new JoinedStatements();
  readonly #writers = new Map<number, CandidateWriter>();
  readonly #soundType: string;

  /** Callers of this format get raw samples, whatever the upstream was asked for. */
  constructor(asked: ChatRequest | undefined) {
    this.#soundType = asked?.speech === undefined ? 'audio/wav' : BARE_SAMPLES;
  }

  get writers(): readonly CandidateWriter[] {
    return [...this.#writers].toSorted(([a], [b]) => a - b).map(([, writer]) => writer);
  }

  /** Takes an event; returns the parts that can be written now. */
  note(given: ChatEvent): { readonly writer: CandidateWriter; readonly parts: Fields[] } | undefined {
    const event = this.#statements.take(given);
    if (event.type === 'start') this.#head = writeHead(event);
    else if (event.type === 'usage') this.#usage = writeUsageEvent(event);
    else if (event.type !== 'error') {
      let writer = this.#writers.get(event.choice);
      if (writer === undefined)
        this.#writers.set(event.choice, (writer = new CandidateWriter(event.choice, this.#soundType)));
      return { writer, parts: writer.write(event) };
    }
    return undefined;
  }

  piece(writer: CandidateWriter, parts: readonly Fields[]): Frame {
    return writeFrame(JSON.stringify({ candidates: [writer.candidate(parts, 'some')], ...this.#head }));
  }

  /** The end of the response: every answer's finish reason, the prompt feedback, and usage. */
  last(partsOf: (writer: CandidateWriter) => readonly Fields[]): Fields {
    const { writers } = this;
    const feedback = writers.map((writer) => writer.feedback).find((found) => found !== undefined);
    const candidates = writers
      .filter((writer) => writer.feedback?.isBlocked !== true)
      .map((writer) => writer.candidate(partsOf(writer), 'last'));
    return {
      ...(candidates.length > 0 && { candidates }),
      ...(feedback !== undefined && { promptFeedback: feedback.promptFeedback }),
      ...(this.#usage !== undefined && { usageMetadata: this.#usage }),
      ...this.#head,
    };
  }
}

/** Joins consecutive texts into one part, but keeps thoughts apart. */
const joinTexts = (parts: readonly Fields[], statements: WeakSet<Fields>): Fields[] => {
  const joined: Fields[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (
      before !== undefined &&
      isPlainText(before) &&
      isPlainText(part) &&
      !statements.has(part) &&
      before['thought'] === part['thought']
    )
      joined[joined.length - 1] = { ...before, text: String(before['text']) + String(part['text']) };
    else joined.push(part);
  }
  return joined;
};

const isPlainText = (part: Fields): boolean =>
  typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
