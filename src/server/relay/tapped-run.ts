import { parsed } from '#contract/text.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Tapped, Wire } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import { writeFrame } from '../dialects/sse.ts';
import type { SeenFrame } from './answer.ts';
import type { Meter } from './meter.ts';
import { TextRun } from './text-run.ts';

const PROBE = 'two words';
const MAX_DEPTH = 8;

/**
 * A run of frames that are repeated as they come and tell a text each and nothing else. What a tap says of a frame hangs on
 * nothing but that frame, and not on the letters of its text: of one that is like a frame before, the text is counted.
 */
export class TappedRun {
  readonly #wire: Pick<Wire, 'tap'>;
  readonly #run: TextRun;

  constructor(secrets: Secrets, wire: Pick<Wire, 'tap'>) {
    this.#run = new TextRun(secrets);
    this.#wire = wire;
  }

  /** Counts what these bytes tell if they are whole events of the run; false, and nothing counted, if they are not. */
  takeAll(bytes: Buffer, meter: Meter): boolean {
    const run = this.#run;
    let outputBytes = 0;
    let at = 0;
    do {
      at = run.find(bytes, at);
      if (at === -1) return false;
      outputBytes += run.outputBytes;
    } while (at < bytes.length);
    meter.produced = true;
    meter.outputBytes += outputBytes;
    return true;
  }

  /** Learns from a frame what the next ones may be like. */
  learn({ frame, tapped }: SeenFrame): void {
    if (this.#run.isTired || !tellsText(tapped)) return;
    const text = this.#textOf(frame, tapped.outputBytes);
    if (text !== undefined) this.#run.learn(frame, text);
  }

  /** The text a frame tells: that of so many bytes which the tap counts differently where it is another. */
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
