import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { Media } from '#core/chat/request.ts';
import type { Usage } from '#core/chat/usage.ts';

interface FoldedChoice {
  text: string;
  reasoning: string;
  refusal: string;
  readonly seals: string[];
  readonly calls: { id: string; name: string; argumentsText: string; signature: string | undefined }[];
  readonly images: Media[];
  readonly citations: { url: string | undefined; title: string | undefined }[];
  audio: { id: string | undefined; data: string; transcript: string } | undefined;
  finish: FinishReason | undefined;
  stopSequence: string | undefined;
}

/** The content of a reply, added up from its events. */
export interface Folded {
  id: string;
  model: string;
  createdAtMs: number | undefined;
  readonly choices: Record<number, FoldedChoice>;
  usage: Usage | undefined;
  error: string | undefined;
}

/**
 * Adds up the events of one reply, however finely it was cut: two replies with equal sums have the same content. It
 * compares streams with whole replies, and wire formats with each other.
 */
export const fold = (events: readonly ChatEvent[]): Folded => {
  const folded: Folded = {
    id: '',
    model: '',
    createdAtMs: undefined,
    choices: {},
    usage: undefined,
    error: undefined,
  };
  for (const event of events) {
    if (event.type === 'start') {
      folded.id = event.id;
      folded.model = event.model;
      folded.createdAtMs = event.createdAtMs;
    } else if (event.type === 'usage') folded.usage = event.usage;
    else if (event.type === 'error') folded.error = event.error.upstream?.message ?? event.error.message;
    else addToChoice((folded.choices[event.choice] ??= emptyChoice()), event);
  }
  return folded;
};

/** The numbers of the blocks that the calls of a choice began at. */
const blocks = new WeakMap<FoldedChoice, readonly number[]>();

const emptyChoice = (): FoldedChoice => ({
  text: '',
  reasoning: '',
  refusal: '',
  seals: [],
  calls: [],
  images: [],
  citations: [],
  audio: undefined,
  finish: undefined,
  stopSequence: undefined,
});

/** Audio arrives in pieces, each encoded in base64 separately. */
const joinBytes = (...pieces: readonly string[]): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64');

const addToChoice = (
  choice: FoldedChoice,
  event: Exclude<ChatEvent, { type: 'start' | 'usage' | 'error' }>,
): void => {
  switch (event.type) {
    case 'text-delta':
      choice.text += event.text;
      break;
    case 'reasoning-delta':
      choice.reasoning += event.text;
      break;
    case 'refusal-delta':
      choice.refusal += event.text;
      break;
    case 'reasoning-end':
      if (event.signature !== undefined) choice.seals.push(event.signature);
      if (event.redacted !== undefined) choice.seals.push(event.redacted);
      break;
    case 'tool-call-start':
      choice.calls.push({ id: event.id, name: event.name, argumentsText: '', signature: event.signature });
      blocks.set(choice, [...(blocks.get(choice) ?? []), event.index]);
      break;
    case 'tool-call-delta': {
      // Block numbers may have gaps; a delta of none belongs to the last call that began at or before its number.
      const begun = (blocks.get(choice) ?? []).lastIndexOf(event.index);
      const call = choice.calls.at(begun === -1 ? Math.min(event.index, choice.calls.length - 1) : begun);
      if (call !== undefined) call.argumentsText += event.argumentsText;
      break;
    }
    case 'audio-delta':
      choice.audio = {
        id: event.id ?? choice.audio?.id,
        data: joinBytes(choice.audio?.data ?? '', event.data ?? ''),
        transcript: (choice.audio?.transcript ?? '') + (event.transcript ?? ''),
      };
      break;
    case 'image':
      choice.images.push(event.media);
      break;
    case 'citation':
      choice.citations.push({ url: event.url, title: event.title });
      break;
    case 'finish':
      choice.finish = event.reason;
      choice.stopSequence = event.stopSequence;
      break;
    case 'opaque':
    // Exists in one format only, so it is not compared.
  }
};
