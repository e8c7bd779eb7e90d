import { isFlac, walkFlac } from './flac-frames.ts';
import { isMatroska, walkMatroska } from './matroska-blocks.ts';
import { isAmr, isMpeg, walkAmr, walkMpeg } from './mpeg-frames.ts';
import { isMp4, walkMp4 } from './mp4-boxes.ts';
import { isOgg, walkOgg } from './ogg-pages.ts';
import { type Heard, type Walk, Walker } from './walk.ts';
import { wavBytesPerSecond } from './wav-head.ts';

/** The fewest bytes that a second of speech takes, 6 kbit of Opus: what cannot be read costs as such. */
export const FEWEST_BYTES_PER_SECOND = 750;

/** The head of a file that tells what it is. */
export const SOUND_HEAD_BYTES = 64;

const formats: readonly (readonly [(head: Buffer) => boolean, (heard: Heard) => Walk])[] = [
  [isOgg, walkOgg],
  [isFlac, walkFlac],
  [isMatroska, walkMatroska],
  [isMp4, walkMp4],
  [isAmr, walkAmr],
  [isMpeg, walkMpeg],
];

/**
 * How long a file of sound plays, counted as it arrives from the frames it has: what its head says of its length is not
 * believed, since players do not go by it. Whatever else a file is, it costs nothing to ask.
 */
export class SoundLength {
  readonly #head: Buffer;
  readonly #heard: Heard = { seconds: 0, unknownBytes: 0 };
  readonly #walker: Walker | undefined;
  #bytes = 0;

  constructor(head: Buffer) {
    this.#head = head;
    const walk = formats.find(([isOne]) => isOne(head))?.[1];
    this.#walker = walk && new Walker(walk(this.#heard));
  }

  /** All pieces of the file in their order, its head too. */
  push(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#walker?.push(piece);
  }

  /** In seconds, after the last piece. */
  end(): number {
    const perSecond = wavBytesPerSecond(this.#head);
    if (perSecond !== undefined) return this.#bytes / perSecond;
    if (this.#walker === undefined) return this.#bytes / FEWEST_BYTES_PER_SECOND;
    this.#walker.end();
    const { seconds, unknownBytes } = this.#heard;
    return seconds + Math.min(unknownBytes, this.#bytes) / FEWEST_BYTES_PER_SECOND;
  }
}
