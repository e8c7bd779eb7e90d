import type { ChatEvent } from '#core/chat/event.ts';
import { parseChatJson } from '#core/json/exact.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import type { StreamReader } from '../../dialect.ts';
import { isFields, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { readErrorInside } from '../error.ts';
import { camelFields, camelList } from '../fields.ts';
import { finishWord } from './finish-reason.ts';
import { CandidateReader } from './read-candidate.ts';
import { KNOWN_IN_USAGE } from './write-candidate.ts';
import { lacksIn, readUsage } from '../usage.ts';

const KNOWN_AT_TOP = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
  'promptFeedback',
  'error',
]);

/** Reads a whole response, or the list of responses that is a stream without frames. */
export const readWhole = (body: unknown): ChatEvent[] => {
  const reader = new ReplyReader();
  const bodies = (Array.isArray(body) ? listOf(body) : [body]).filter(isFields);
  if (bodies.length === 0) return [];
  return [...bodies.flatMap((reply) => reader.read(reply)), ...reader.end()];
};

/** A stream as events. */
export const openReader = (): StreamReader => {
  const reader = new ReplyReader();
  return {
    read: ({ data, event }) => {
      const body = parse(data);
      return body === undefined ? [] : reader.read(body, event === 'error');
    },
    end: () => reader.end(),
  };
};

/** Reads the bodies of one response in order: a single one, or every chunk of a stream. */
class ReplyReader {
  #started = false;
  #failed = false;
  #callBase = '';
  #calls = 0;
  #feedback: unknown;
  #usage: Extract<ChatEvent, { type: 'usage' }> | undefined;
  readonly #candidates = new Map<number, CandidateReader>();

  read(reply: Fields, isError = false): ChatEvent[] {
    const body = camelFields(reply);
    const events: ChatEvent[] = [];
    if (isError || (body['error'] !== undefined && body['error'] !== null)) {
      this.#failed = true;
      return [{ type: 'error', error: readErrorInside(reply) }];
    }
    if (!this.#started) events.push(readStart(body));
    this.#started = true;
    this.#callBase ||=
      textOf(body['responseId'])
        ?.replace(/[^\w-]/g, '')
        .slice(-24) ?? '';
    this.#feedback = body['promptFeedback'] ?? this.#feedback;
    for (const [position, candidate] of camelList(body['candidates']).entries()) {
      const index = typeof candidate['index'] === 'number' ? candidate['index'] : position;
      let reader = this.#candidates.get(index);
      if (reader === undefined)
        this.#candidates.set(index, (reader = new CandidateReader(index, this.#nameCall)));
      events.push(...reader.read(candidate));
    }
    this.#noteUsage(body['usageMetadata']);
    return events;
  }

  /** The last events of a response: finish reasons and usage. */
  end(): ChatEvent[] {
    if (this.#failed) return [];
    const candidates = [...this.#candidates].toSorted(([a], [b]) => a - b);
    const [failure] = candidates.map(([, reader]) => reader.failure);
    if (failure !== undefined && candidates.every(([, reader]) => reader.failure !== undefined))
      return [...(this.#usage === undefined ? [] : [this.#usage]), { type: 'error', error: failure }];
    const events = candidates.flatMap(([, reader]) => reader.end(this.#feedback));
    const feedback = camelFields(this.#feedback);
    const explanation = textOf(feedback['blockReasonMessage']);
    if (finishWord(feedback['blockReason']) !== undefined && events.length === 0)
      events.push({
        type: 'finish',
        choice: 0,
        reason: 'content-filter',
        ...(explanation !== undefined && { explanation }),
        extras: { gemini: { promptFeedback: this.#feedback } },
      });
    return this.#usage === undefined ? events : [...events, this.#usage];
  }

  #noteUsage(value: unknown): void {
    const last = readUsage(value);
    if (last === undefined) return;
    const usage = mergeReports(this.#usage?.usage, last, lacksIn(value));
    const others = otherFields(camelFields(value), KNOWN_IN_USAGE);
    this.#usage = { type: 'usage', usage, ...(others !== undefined && { extras: { gemini: others } }) };
  }

  readonly #nameCall = (name: string, argumentsText: string): string => {
    this.#calls += 1;
    const base = this.#callBase === '' ? hash(name + argumentsText) : this.#callBase;
    return `call_${base}_${this.#calls}`;
  };
}

const readStart = (body: Fields): ChatEvent => {
  const createdAtMs = typeof body['createTime'] === 'string' ? Date.parse(body['createTime']) : Number.NaN;
  const others = otherFields(body, KNOWN_AT_TOP);
  return {
    type: 'start',
    id: textOf(body['responseId']) ?? '',
    model: textOf(body['modelVersion']) ?? '',
    ...(Number.isFinite(createdAtMs) && { createdAtMs }),
    ...(others !== undefined && { extras: { gemini: others } }),
  };
};

/** FNV-1a: a short name that is the same for the same text. */
const hash = (text: string): string => {
  let state = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 16_777_619);
  return (state >>> 0).toString(36);
};

const parse = (data: Buffer): Fields | undefined => {
  if (data.length === 0) return undefined;
  try {
    const value = parseChatJson(data.toString());
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
