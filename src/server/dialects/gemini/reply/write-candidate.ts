import type { ChatEvent, TokenLogprob } from '#core/chat/event.ts';
import { OneCallAtATime } from '../../ends/one-call-at-a-time.ts';
import { parseExactObject } from '#core/json/exact.ts';
import { fieldsOf, isFields, type Fields } from '#core/json/fields.ts';
import { isSealOfPart } from '#core/chat/signature.ts';
import { Grounding } from './grounding.ts';
import { finishWord, writeFinishReason } from './finish-reason.ts';
import { writeLogprobs } from './logprobs.ts';
import { writeSignature } from '../parts/signature.ts';
import { writeUsage } from '../usage.ts';
import { writeCall, writeMedia } from '../parts/write-parts.ts';

/** Fields of `usageMetadata` with a common form; others, such as a service tier, are stored as extras. */
export const KNOWN_IN_USAGE: ReadonlySet<string> = new Set([
  'promptTokenCount',
  'candidatesTokenCount',
  'responseTokenCount',
  'totalTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'toolUsePromptTokenCount',
  'promptTokensDetails',
  'cacheTokensDetails',
  'candidatesTokensDetails',
  'toolUsePromptTokensDetails',
]);

type OfAnswer = Exclude<ChatEvent, { type: 'start' | 'usage' | 'error' }>;
type Finish = Extract<ChatEvent, { type: 'finish' }>;
type CallStart = Extract<ChatEvent, { type: 'tool-call-start' }>;

/**
 * Writes the events of one answer as parts. Buffers calls until they are complete, because this format cannot stream
 * them.
 */
export class CandidateWriter {
  readonly #index: number;
  readonly #soundType: string;
  readonly #calls = new Map<number, { readonly start: CallStart; argumentsText: string }>();
  readonly #grounding = new Grounding();
  /** Parts that begin a new message or block. */
  readonly statements = new WeakSet<Fields>();
  #logprobs: TokenLogprob[] = [];
  #saysAnything = false;
  #isRefusing = false;
  readonly #inOrder = new OneCallAtATime();
  /** The answer reached its maximum length. */
  #isCut = false;
  #finish: Finish | undefined;

  /** `soundType`: the media type for sound without one. */
  constructor(index: number, soundType: string) {
    this.#index = index;
    this.#soundType = soundType;
  }

  /** The parts that can be written now. */
  write(event: OfAnswer): Fields[] {
    this.#isCut ||= event.type === 'finish' && event.reason === 'length';
    return this.#inOrder.take(event).flatMap((next) => this.#writeNext(next));
  }

  #writeNext(event: ChatEvent): Fields[] {
    switch (event.type) {
      case 'start':
      case 'usage':
      case 'error':
        return [];
      case 'tool-call-start':
        this.#calls.set(event.index, { start: event, argumentsText: '' });
        return [];
      case 'tool-call-delta': {
        const call = this.#calls.get(event.index);
        if (call !== undefined) call.argumentsText += event.argumentsText;
        return [];
      }
      case 'citation':
        // What an answer cites does not show that the call before it is whole.
        return this.#writePart(event);
      default: {
        const parts = [...this.#completeCalls(), ...this.#writePart(event)];
        this.#saysAnything ||= parts.length > 0;
        return parts;
      }
    }
  }

  /** The calls that are complete by now. */
  flush(): Fields[] {
    const waiting = this.#inOrder.rest().flatMap((event) => this.#writeNext(event));
    return [...waiting, ...this.#completeCalls()];
  }

  /** What waited for a call that will never be whole, because the answer failed. */
  flushWords(): Fields[] {
    this.#calls.clear();
    return this.#inOrder
      .rest()
      .flatMap((event) => (event.type.startsWith('tool-call-') ? [] : this.#writeNext(event)));
  }

  #completeCalls(): Fields[] {
    const parts = [...this.#calls.values()]
      .filter((call) => !this.#isCut || isWhole(call))
      .map(({ start, argumentsText }) => ({
        functionCall: writeCall({ id: start.id, name: start.name, argumentsText }),
        ...writeSignature(start),
      }));
    this.#calls.clear();
    this.#saysAnything ||= parts.length > 0;
    return parts;
  }

  /** The answer with these parts; the last ones also with its finish reason. */
  candidate(parts: readonly Fields[], which: 'some' | 'last'): Fields {
    const logprobs = this.#logprobs;
    if (logprobs.length > 0) this.#logprobs = [];
    return {
      content: { parts, role: 'model' },
      ...(logprobs.length > 0 && { logprobsResult: writeLogprobs(logprobs) }),
      ...(which === 'last' && this.#finish !== undefined && this.#writeFinish(this.#finish, parts)),
      index: this.#index,
    };
  }

  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /** The feedback on the prompt, and whether it was blocked. */
  get feedback(): { readonly promptFeedback: Fields; readonly isBlocked: boolean } | undefined {
    const feedback = this.#finish?.extras?.gemini?.['promptFeedback'];
    if (!isFields(feedback)) return undefined;
    return {
      promptFeedback: feedback,
      isBlocked: finishWord(feedback['blockReason']) !== undefined && !this.#saysAnything,
    };
  }

  #writePart(event: Exclude<OfAnswer, { type: 'tool-call-start' | 'tool-call-delta' }>): Fields[] {
    switch (event.type) {
      case 'text-delta':
        if (event.logprobs !== undefined) this.#logprobs.push(...event.logprobs);
        this.#grounding.addText(event.text);
        return event.text === '' ? [] : [this.#writeText(event)];
      case 'refusal-delta':
        return [this.#writeRefusal(event.text)];
      case 'reasoning-delta':
        return [{ ...event.extras?.gemini, text: event.text, thought: true }];
      case 'reasoning-end': {
        // The part itself already carries the signature.
        if (event.signatureFrom === 'gemini' && isSealOfPart(event.signature ?? '')) return [];
        const signature = writeSignature(event);
        return signature['thoughtSignature'] === undefined ? [] : [{ text: '', thought: true, ...signature }];
      }
      case 'image':
        return event.media.from === 'file-id'
          ? []
          : [{ ...event.extras?.gemini, ...writeMedia(event.media, 'image/png') }];
      case 'audio-delta':
        return writeAudio(event, this.#soundType);
      case 'opaque':
        return writeOpaque(event.extras.gemini);
      case 'citation':
        this.#grounding.cite(event);
        return [];
      case 'finish':
        this.#finish = event;
        return [];
    }
  }

  /** Writes a refusal as a part of its own. */
  #writeRefusal(text: string): Fields {
    const part = { text };
    if (!this.#isRefusing) this.statements.add(part);
    this.#isRefusing = true;
    return part;
  }

  #writeText(event: Extract<ChatEvent, { type: 'text-delta' }>): Fields {
    const part = { ...event.extras?.gemini, text: event.text };
    if (event.begins === true) this.statements.add(part);
    return part;
  }

  #writeFinish(finish: Finish, parts: readonly Fields[]): Fields {
    const { promptFeedback: _, finishReason, ...others } = finish.extras?.gemini ?? {};
    const isGrounded = others['groundingMetadata'] !== undefined || others['citationMetadata'] !== undefined;
    const grounding = isGrounded ? undefined : this.#grounding.write(parts);
    return {
      finishReason: finishReason ?? writeFinishReason(finish.reason),
      ...(finish.explanation !== undefined && { finishMessage: finish.explanation }),
      ...(grounding !== undefined && { groundingMetadata: grounding }),
      ...others,
    };
  }
}

/** Not cut off: this format has only whole calls, and half of one would be acted upon. */
const isWhole = ({ argumentsText }: { readonly argumentsText: string }): boolean =>
  argumentsText.trim() === '' || parseExactObject(argumentsText) !== undefined;

/** The first base64 characters of a WAV file, which carries its own format. */
const WAV_BEGINS = 'UklGR';

const writeAudio = (event: Extract<ChatEvent, { type: 'audio-delta' }>, soundType: string): Fields[] => [
  ...(event.transcript === undefined || event.transcript === '' ? [] : [{ text: event.transcript }]),
  ...(event.data === undefined || event.data === ''
    ? []
    : [
        {
          inlineData: {
            mimeType: event.mediaType ?? (event.data.startsWith(WAV_BEGINS) ? 'audio/wav' : soundType),
            data: event.data,
          },
        },
      ]),
];

const writeOpaque = (held: Fields | undefined): Fields[] =>
  held?.['type'] === 'part' ? [fieldsOf(held['part'])] : [];

/** Fields of the response that every chunk repeats. */
export const writeHead = (start: Extract<ChatEvent, { type: 'start' }>): Fields => ({
  ...start.extras?.gemini,
  ...(start.model !== '' && { modelVersion: start.model }),
  ...(start.id !== '' && { responseId: start.id }),
  ...(start.createdAtMs !== undefined && { createTime: new Date(start.createdAtMs).toISOString() }),
});

/** The fields of `usageMetadata`. */
export const writeUsageEvent = (event: Extract<ChatEvent, { type: 'usage' }>): Fields => ({
  ...writeUsage(event.usage),
  ...event.extras?.gemini,
});

/** The start of a reply whose upstream never sent one. */
export const noStart: Extract<ChatEvent, { type: 'start' }> = { type: 'start', id: '', model: '' };
