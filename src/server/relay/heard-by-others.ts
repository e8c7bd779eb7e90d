import type { Tapped } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import type { UpstreamFormat } from './format.ts';

const known = new WeakMap<UpstreamFormat, UpstreamFormat>();

/**
 * A format as its answers are heard for callers of others: an end that only this format has a word for is an error, and
 * another channel may be asked as long as the caller has seen nothing.
 */
export const heardByOthers = (format: UpstreamFormat): UpstreamFormat => {
  let heard = known.get(format);
  if (heard === undefined) {
    const asError = <Told extends Tapped | undefined>(tapped: Told): Told | Tapped =>
      tapped?.failure === undefined ? tapped : { ...tapped, error: tapped.failure };
    heard = {
      ...format,
      tap: (frame: Frame) => asError(format.tap(frame)),
      tapWhole: (body: unknown) => asError(format.tapWhole(body)),
    };
    known.set(format, heard);
  }
  return heard;
};
