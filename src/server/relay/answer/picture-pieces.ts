import type { ChatEvent } from '#core/chat/event.ts';

/** One piece is written in about a millisecond. */
const MOST_CHARACTERS = 1024 * 1024;
/** Formats that write a picture once, at its place in the stream, and do not repeat it at the end. */
const WRITTEN_ONCE: ReadonlySet<string> = new Set(['openai-chat', 'anthropic-messages', 'gemini']);
/** Written in place of a picture's bytes, which are put there afterwards. */
const MARK = 'dG9sbGdhdGUgcHV0cyB0aGUgcGljdHVyZSBoZXJl';

/** An event with a picture so large that writing it in one step would block other calls. */
export interface LargePicture {
  /** The event with a mark for the bytes. */
  readonly around: ChatEvent;
  /** The bytes as JSON writes them, in pieces. */
  readonly pieces: () => Generator<Buffer>;
  /** Puts the pieces where the mark is; undefined if the written bytes do not have it. */
  readonly join: (written: Buffer, pieces: readonly Buffer[]) => readonly Buffer[] | undefined;
}

/** The large picture of an event, for a caller of this format; undefined if it is written as usual. */
export const largePicture = (event: ChatEvent, wire: string): LargePicture | undefined => {
  if (event.type !== 'image' || event.media.from !== 'base64' || !WRITTEN_ONCE.has(wire)) return undefined;
  const { data } = event.media;
  if (data.length <= MOST_CHARACTERS) return undefined;
  return {
    around: { ...event, media: { ...event.media, data: MARK } },
    *pieces() {
      for (let from = 0; from < data.length; from += MOST_CHARACTERS)
        yield Buffer.from(JSON.stringify(data.slice(from, from + MOST_CHARACTERS)).slice(1, -1));
    },
    join(written, pieces) {
      const at = written.indexOf(MARK);
      if (at === -1) return undefined;
      return [written.subarray(0, at), ...pieces, written.subarray(at + MARK.length)];
    },
  };
};
