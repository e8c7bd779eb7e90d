import { isFlac, walkFlac } from './flac-frames.ts';
import { isEbml } from './ebml.ts';
import { walkMatroska } from './matroska-blocks.ts';
import { isAmr, isMpeg, walkAmr, walkMpeg } from './mpeg-frames.ts';
import { isMp4, walkMp4 } from './mp4-boxes.ts';
import { isOgg, walkOgg } from './ogg-pages.ts';
import { type Heard, type Walk, Walker } from './walk.ts';
import { wavSeconds } from './wav-head.ts';

/** The lowest data rate of speech, Opus at 6 kbit/s. Bytes of unknown duration are charged at it. */
export const FEWEST_BYTES_PER_SECOND = 750;

/** How many bytes at the beginning of a file identify its format; of WAV, where its samples begin. */
export const SOUND_HEAD_BYTES = 128;

const formats: readonly (readonly [(head: Buffer) => boolean, (heard: Heard) => Walk])[] = [
  [isOgg, walkOgg],
  [isFlac, walkFlac],
  [isEbml, walkMatroska],
  [isMp4, walkMp4],
  [isAmr, walkAmr],
  [isMpeg, walkMpeg],
];

/**
 * Measures how long an audio file plays, frame by frame as it arrives. The duration in its header is ignored, as
 * players ignore it. A file of unknown format counts by its bytes.
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

  /** Takes the pieces of the file in order, its header included. */
  push(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#walker?.push(piece);
  }

  /** The duration in seconds, after the last piece. */
  end(): number {
    const sampled = wavSeconds(this.#head, this.#bytes);
    if (sampled !== undefined) return sampled;
    if (this.#walker === undefined) return this.#bytes / FEWEST_BYTES_PER_SECOND;
    this.#walker.end();
    const { seconds, unknownBytes } = this.#heard;
    return seconds + Math.min(unknownBytes, this.#bytes) / FEWEST_BYTES_PER_SECOND;
  }
}
