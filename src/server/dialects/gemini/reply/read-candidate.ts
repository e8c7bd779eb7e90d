import type { ChatEvent } from '#core/chat/event.ts';
import { listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { asSealOfPart } from '#core/chat/signature.ts';
import type { AppError } from '#core/error.ts';
import { camelFields, camelList } from '../fields.ts';
import { readArguments } from '../../call-arguments.ts';
import { finishWord, isWord, readFailure, readFinishReason, writeFinishReason } from './finish-reason.ts';
import { readLogprobs } from './logprobs.ts';
import { KNOWN_WITH_TEXT, mediaKind, readMedia } from '../parts/read-parts.ts';
import { Pages } from './pages.ts';
import { PartialArguments } from './partial-arguments.ts';
import { readSignature } from '../parts/signature.ts';

const KNOWN_IN_CANDIDATE = new Set(['content', 'finishReason', 'finishMessage', 'index', 'logprobsResult']);

/**
 * Reads the chunks of one answer. Its finish event comes only at the end of the response, because a later chunk may
 * change it.
 */
export class CandidateReader {
  readonly #choice: number;
  /** Makes an id for a call without one: stable, and unique in the response. */
  readonly #nameCall: (name: string, argumentsText: string) => string;
  #calls = 0;
  #images = 0;
  /** The call whose pieces are arriving. */
  #open: { readonly index: number; readonly name: string; readonly pieces: PartialArguments } | undefined;
  #word: string | undefined;
  #message: string | undefined;
  #hasSpoken = false;
  /** The next text begins a new message or block. */
  #isParted = false;
  /** The answer has more than thoughts. */
  #hasWords = false;
  #extras: Fields = {};
  readonly #pages = new Pages();

  constructor(choice: number, nameCall: (name: string, argumentsText: string) => string) {
    this.#choice = choice;
    this.#nameCall = nameCall;
  }

  read(candidate: Fields): ChatEvent[] {
    const parts = camelList(camelFields(candidate['content'])['parts']);
    this.#word = finishWord(candidate['finishReason']) ?? this.#word;
    this.#message = textOf(candidate['finishMessage']) ?? this.#message;
    this.#hasWords ||= parts.some(isWord);
    this.#extras = withMore(this.#extras, otherFields(candidate, KNOWN_IN_CANDIDATE));
    const events = parts.flatMap((part) => this.#readPart(part));
    this.#pages.note(candidate);
    return candidate['logprobsResult'] === undefined ? events : withLogprobs(events, candidate);
  }

  /** The error for an end that other formats cannot express. */
  get failure(): AppError | undefined {
    const produced = { hasWords: this.#hasWords, hasCalls: this.#calls > 0 };
    return this.#word === undefined ? undefined : readFailure(this.#word, this.#message, produced);
  }

  /** The finish event of the answer, if it has ended. */
  end(promptFeedback: unknown): ChatEvent[] {
    const word = this.#word;
    const cutOff = [...this.#endCall(), ...this.#pages.citations(this.#choice)];
    if (word === undefined) return cutOff;
    const reason = readFinishReason(word, this.#calls > 0);
    const extras = {
      ...this.#extras,
      ...(writeFinishReason(reason) !== word && { finishReason: word }),
      ...(promptFeedback !== undefined && { promptFeedback }),
    };
    return [
      ...cutOff,
      {
        type: 'finish',
        choice: this.#choice,
        reason,
        ...(this.#message !== undefined && { explanation: this.#message }),
        ...(Object.keys(extras).length > 0 && { extras: { gemini: extras } }),
      },
    ];
  }

  #readPart(part: Fields): ChatEvent[] {
    if (typeof part['text'] === 'string') return this.#readText(part, part['text']);
    if (part['functionCall'] !== undefined) return this.#readCall(part);
    return this.#readBlob(part) ?? [this.#opaque(part)];
  }

  #readText(part: Fields, text: string): ChatEvent[] {
    const choice = this.#choice;
    const others = otherFields(part, KNOWN_WITH_TEXT);
    const { signature, signatureFrom, redacted } = readSignature(part['thoughtSignature']);
    if (part['thought'] === true || redacted !== undefined) {
      const events: ChatEvent[] = [];
      if (text !== '')
        events.push({
          type: 'reasoning-delta',
          choice,
          text,
          ...(others !== undefined && { extras: { gemini: others } }),
        });
      if (signatureFrom === undefined) return events;
      const seal = redacted === undefined ? { signature: String(signature) } : { redacted };
      return [...events, { type: 'reasoning-end', choice, ...seal, signatureFrom }];
    }
    if (text === '') return signature === undefined ? [] : [this.#opaque(part), ...this.#seal('text', part)];
    this.#pages.addText(text);
    const begins = this.#isParted;
    this.#hasSpoken = true;
    this.#isParted = false;
    const extras = {
      ...others,
      ...(signature !== undefined && { thoughtSignature: part['thoughtSignature'] }),
    };
    return [
      {
        type: 'text-delta',
        choice,
        text,
        ...(begins && { begins }),
        ...(Object.keys(extras).length > 0 && { extras: { gemini: extras } }),
      },
      ...(signature === undefined ? [] : this.#seal('text', part)),
    ];
  }

  /** Writes the signature of a text or picture, which other formats have no field for, as that of an empty thought. */
  #seal(kind: string, part: Fields): ChatEvent[] {
    const { signature, signatureFrom } = readSignature(part['thoughtSignature']);
    if (signature === undefined || signatureFrom !== 'gemini') return [];
    const seal = asSealOfPart(kind, signature);
    return [{ type: 'reasoning-end', choice: this.#choice, signature: seal, signatureFrom }];
  }

  #readCall(part: Fields): ChatEvent[] {
    const choice = this.#choice;
    const call = camelFields(part['functionCall']);
    const isPart = call['willContinue'] === true || call['partialArgs'] !== undefined;
    if (isPart || this.#open !== undefined) return this.#readPartOfCall(part, call, isPart);
    const name = textOf(call['name']) ?? '';
    const argumentsText = readArguments(call['args'] ?? {});
    const { signature, signatureFrom } = readSignature(part['thoughtSignature']);
    const index = this.#calls;
    this.#calls += 1;
    return [
      {
        type: 'tool-call-start',
        choice,
        index,
        id: textOf(call['id']) ?? this.#nameCall(name, argumentsText),
        name,
        ...(signature !== undefined && signatureFrom !== undefined && { signature, signatureFrom }),
      },
      { type: 'tool-call-delta', choice, index, argumentsText },
    ];
  }

  /** A call that streams: first its name, then its arguments. */
  #readPartOfCall(part: Fields, call: Fields, isPart: boolean): ChatEvent[] {
    const name = textOf(call['name']);
    const events: ChatEvent[] = [];
    if (this.#open === undefined || (name !== undefined && name !== this.#open.name)) {
      events.push(...this.#endCall());
      if (!isPart) return [...events, ...this.#readCall(part)];
      const id = textOf(call['id']) ?? this.#nameCall(name ?? '', '');
      const { signature, signatureFrom } = readSignature(part['thoughtSignature']);
      const signed = signature !== undefined && signatureFrom !== undefined && { signature, signatureFrom };
      const index = this.#calls;
      this.#calls += 1;
      this.#open = { index, name: name ?? '', pieces: new PartialArguments() };
      events.push({ type: 'tool-call-start', choice: this.#choice, index, id, name: name ?? '', ...signed });
    }
    const open = this.#open;
    const argumentsText = open?.pieces.add(call['partialArgs'], call['args']) ?? '';
    if (open !== undefined && argumentsText !== '')
      events.push({ type: 'tool-call-delta', choice: this.#choice, index: open.index, argumentsText });
    return call['willContinue'] === true ? events : [...events, ...this.#endCall()];
  }

  #endCall(): ChatEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const { index, pieces } = open;
    return [{ type: 'tool-call-delta', choice: this.#choice, index, argumentsText: pieces.end() }];
  }

  /** A picture or sound by the model; other formats cannot express any other blob. */
  #readBlob(part: Fields): ChatEvent[] | undefined {
    const choice = this.#choice;
    const media = readMedia(camelFields(part['inlineData'] ?? part['fileData']));
    const kind = mediaKind(media === undefined || media.from === 'file-id' ? '' : (media.mediaType ?? ''));
    if (media === undefined || kind === 'file') return undefined;
    const others = otherFields(part, new Set(['inlineData', 'fileData']));
    if (kind === 'image') {
      const extras = others === undefined ? {} : { extras: { gemini: others } };
      return [{ type: 'image', choice, media, ...extras }, ...this.#seal(`image${this.#images++}`, part)];
    }
    if (media.from !== 'base64') return undefined;
    return [{ type: 'audio-delta', choice, data: media.data, mediaType: media.mediaType }];
  }

  #opaque(part: Fields): ChatEvent {
    // An upstream's tool came between two texts.
    if (isWord(part)) this.#isParted = this.#hasSpoken;
    return { type: 'opaque', choice: this.#choice, extras: { gemini: { type: 'part', part } } };
  }
}

/** Attaches token probabilities to the first text of a chunk. */
const withLogprobs = (events: ChatEvent[], candidate: Fields): ChatEvent[] => {
  const logprobs = readLogprobs(candidate['logprobsResult']);
  const at = events.findIndex(({ type }) => type === 'text-delta');
  const event = events[at];
  return event?.type === 'text-delta' && logprobs.length > 0
    ? events.with(at, { ...event, logprobs })
    : events;
};

/** Merges the other fields of an answer's chunks: the latest value of each, but citations of all. */
const withMore = (before: Fields, more: Fields | undefined): Fields => {
  if (more === undefined) return before;
  const known = camelFields(before['citationMetadata']);
  const cited: Record<string, unknown> = { ...known };
  for (const [key, list] of Object.entries(camelFields(more['citationMetadata'])))
    cited[key] = Array.isArray(list) ? [...listOf(known[key]), ...listOf(list)] : list;
  return { ...before, ...more, ...(Object.keys(cited).length > 0 && { citationMetadata: cited }) };
};
