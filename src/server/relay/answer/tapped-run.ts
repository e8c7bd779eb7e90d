import { parsed } from '#contract/json-text.ts';
import type { SecretTrail } from '#core/secrets/secret-trail.ts';
import type { Tapped, Wire } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { writeFrame } from '../../dialects/sse.ts';
import type { Masking, SeenFrame } from './mask.ts';
import type { Meter } from '../bill/meter.ts';
import { isLearnt, TextRun } from './text-run.ts';

const PROBE = 'two words';
const MAX_DEPTH = 8;

/**
 * A run of frames that are passed on unchanged and carry one piece of text each. A tap's result depends only on the
 * frame's shape and the length of its text, so for a frame shaped like the one before, counting its text is enough.
 */
export class TappedRun {
  readonly #wire: Pick<Wire, 'tap'>;
  readonly #run: TextRun;
  readonly #trail: SecretTrail;

  constructor(masking: Masking, wire: Pick<Wire, 'tap'>) {
    this.#run = new TextRun(masking);
    this.#trail = masking.trail;
    this.#wire = wire;
  }

  /** Counts these bytes if they are whole events of the run with less text than that; otherwise returns false and counts nothing. */
  takeAll(bytes: Buffer, meter: Meter, belowBytes = Infinity): boolean {
    const run = this.#run;
    const { mark } = this.#trail;
    let outputBytes = 0;
    let at = 0;
    do {
      at = run.find(bytes, at, belowBytes - outputBytes);
      if (at === -1) {
        this.#trail.goBack(mark);
        return false;
      }
      outputBytes += run.outputBytes;
    } while (at < bytes.length);
    meter.produced = true;
    meter.outputBytes += outputBytes;
    return true;
  }

  /** Learns the shape of following frames from this one. */
  learn({ frame, tapped }: SeenFrame): void {
    if (this.#run.isTired || !isLearnt(frame) || !tellsText(tapped)) return;
    const text = this.#textOf(frame, tapped.outputBytes);
    if (text !== undefined) this.#run.learn(frame, text);
  }

  /** Finds the frame's text: the string of that size whose replacement changes the tap's count. */
  #textOf({ data, event }: Frame, outputBytes: number): string | undefined {
    const json = data.toString();
    const texts = stringsIn(parsed(json)).filter((text) => Buffer.byteLength(text) === outputBytes);
    return texts.find((text) => {
      const [before, after, ...more] = json.split(JSON.stringify(text));
      if (before === undefined || after === undefined || more.length > 0) return false;
      const probed = this.#wire.tap(writeFrame(`${before}"${PROBE}"${after}`, event));
      return tellsText(probed) && probed.outputBytes === PROBE.length;
    });
  }
}

const tellsText = (tapped: Tapped | undefined): tapped is Tapped & { readonly outputBytes: number } =>
  tapped?.content === true && tapped.outputBytes !== undefined && Object.keys(tapped).length === 2;

const stringsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
};
