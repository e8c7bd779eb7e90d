import type { Dialect, Egress, Wire, Tapped } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';

/** The format an upstream's reply is read in: complete for chats, only the tap for replies passed on unchanged. */
export type UpstreamFormat = Wire | Egress | Dialect;

/** The caller's format, for a call whose reply is converted. */
export const callerDialect = (wire: Wire | Dialect): Dialect => {
  if ('openWriter' in wire) return wire;
  throw new Error(`${wire.name} is never converted`);
};

/** The upstream's format, for a call whose request or reply is converted. */
export const asEgress = (format: UpstreamFormat): Egress => {
  if ('writeRequest' in format) return format;
  throw new Error(`${format.name} is never converted`);
};

const known = new WeakMap<UpstreamFormat, UpstreamFormat>();

/**
 * Wraps a format for callers of other formats: an end reason that only this format has becomes an error, so that
 * another channel may be tried as long as nothing was sent to the caller.
 */
export const withFailuresAsErrors = (format: UpstreamFormat): UpstreamFormat => {
  let guarded = known.get(format);
  if (guarded === undefined) {
    const asError = <Read extends Tapped | undefined>(tapped: Read): Read | Tapped =>
      tapped?.failure === undefined ? tapped : { ...tapped, error: tapped.failure };
    guarded = {
      ...format,
      tap: (frame: Frame) => asError(format.tap(frame)),
      tapWhole: (body: unknown) => asError(format.tapWhole(body)),
    };
    known.set(format, guarded);
  }
  return guarded;
};
