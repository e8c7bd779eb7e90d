import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Egress, Tapped } from '../../../dialects/dialect.ts';
import type { Frame } from '../../../dialects/frame.ts';
import { readErrorInside, readUpstreamError } from '../../../dialects/openai/error.ts';
import { type Fields, isFields, listOf, parsedFields } from '#core/json/fields.ts';
import { tappedWhole } from '../reply/tapped-events.ts';

/** The content of one reply, or of one frame of a stream, of a text-only upstream. */
export interface Piece {
  readonly id?: string;
  readonly model?: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly citations?: readonly { readonly url: string; readonly title?: string }[];
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** The upstream's error. */
  readonly error?: { readonly message: string; readonly code?: string | number };
  /** The stream's end mark. */
  readonly done?: true;
}

interface TextOnlyFormat {
  readonly name: string;
  readonly writeRequest: (request: ChatRequest) => Fields;
  /** A whole reply. */
  readonly readWhole: (body: Fields) => Piece;
  /** One frame of a stream. Default: `readWhole`. */
  readonly readFrame?: (data: Fields, event: string) => Piece | undefined;
  /** Finds the error in a refusal. Default: the shapes that OpenAI's look-alikes use. */
  readonly readRefusal?: (body: Fields) => Piece['error'];
  readonly parseWhole?: Egress['parseWhole'];
  readonly hasNoStops?: true;
}

/** The upstream's half of a format whose answers hold only text, built from a reader of single pieces. */
export const textOnlyEgress = (format: TextOnlyFormat): Egress => {
  const readFrame = (frame: Frame): Piece | undefined => {
    const text = frame.data.toString().trim();
    if (text === '[DONE]' || text === '"[DONE]"') return { done: true };
    const data = parsedFields(text);
    return data === undefined ? undefined : (format.readFrame ?? format.readWhole)(data, frame.event);
  };
  return {
    name: format.name,
    writeRequest: format.writeRequest,
    tap: (frame) => tapped(readFrame(frame)),
    tapWhole: (body) => tappedWhole(tapped(isFields(body) ? format.readWhole(body) : undefined) ?? {}),
    readError: (status, body, retryAfter) => {
      const found = isFields(body) ? format.readRefusal?.(body) : undefined;
      return readUpstreamError(status, found === undefined ? body : { error: found }, retryAfter);
    },
    readWhole: (body) => {
      const reader = new PieceReader();
      return isFields(body) ? [...reader.read(format.readWhole(body)), ...reader.end()] : [];
    },
    openReader: () => {
      const reader = new PieceReader();
      return {
        read: (frame) => {
          const piece = readFrame(frame);
          return piece === undefined ? [] : reader.read(piece);
        },
        end: () => reader.end(),
      };
    },
    ...(format.parseWhole !== undefined && { parseWhole: format.parseWhole }),
    ...(format.hasNoStops === true && { hasNoStops: true as const }),
  };
};

/** Turns the pieces of one answer into events. Finish and usage come once, at the end. */
class PieceReader {
  #started = false;
  #failed = false;
  #finish: FinishReason = 'stop';
  #usage: Usage | undefined;

  read(piece: Piece): ChatEvent[] {
    const events: ChatEvent[] = [];
    if (!this.#started && piece.done !== true && piece.error === undefined) {
      this.#started = true;
      events.push({ type: 'start', id: piece.id ?? '', model: piece.model ?? '' });
    }
    const choice = 0;
    if (piece.reasoning !== undefined && piece.reasoning !== '')
      events.push({ type: 'reasoning-delta', choice, text: piece.reasoning });
    if (piece.text !== undefined && piece.text !== '')
      events.push({ type: 'text-delta', choice, text: piece.text });
    for (const citation of piece.citations ?? []) events.push({ type: 'citation', choice, ...citation });
    // An answer that was filtered still ends.
    if (this.#finish !== 'content-filter') this.#finish = piece.finish ?? this.#finish;
    this.#usage = piece.usage ?? this.#usage;
    if (piece.error === undefined) return events;
    this.#failed = true;
    return [...events, { type: 'error', error: readErrorInside({ error: piece.error }) }];
  }

  end(): ChatEvent[] {
    if (this.#failed || !this.#started) return [];
    const finish: ChatEvent = { type: 'finish', choice: 0, reason: this.#finish };
    return this.#usage === undefined ? [finish] : [finish, { type: 'usage', usage: this.#usage }];
  }
}

const tapped = (piece: Piece | undefined): Tapped | undefined => {
  if (piece === undefined) return undefined;
  const output = (piece.text ?? '') + (piece.reasoning ?? '');
  return {
    ...(piece.usage !== undefined && { usage: piece.usage }),
    ...(piece.finish !== undefined && { finish: piece.finish }),
    ...(output !== '' && { content: true, outputBytes: Buffer.byteLength(output) }),
    ...(piece.error !== undefined && { error: readErrorInside({ error: piece.error }) }),
    ...(piece.done === true && { done: true }),
  };
};

/** Joins the pieces of a stream that was read whole. The result needs no end mark. */
export const joinPieces = (pieces: readonly (Piece | undefined)[]): Piece => {
  let joined: Piece = {};
  for (const piece of pieces) {
    if (piece === undefined) continue;
    const text = (joined.text ?? '') + (piece.text ?? '');
    const reasoning = (joined.reasoning ?? '') + (piece.reasoning ?? '');
    const citations = [...listOf(joined.citations), ...listOf(piece.citations)] as Piece['citations'];
    const { done: _, ...fields } = piece;
    joined = { ...joined, ...fields, text, reasoning, citations: citations ?? [] };
  }
  return joined;
};
