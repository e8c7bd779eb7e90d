import { SecretTrail } from '#core/secrets/secret-trail.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { Tapped } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { hideCosts } from '../../dialects/hide-costs.ts';
import { withMarks } from '../../dialects/redact.ts';
import { writeFrame } from '../../dialects/sse.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { AppError } from '#core/error.ts';

/** A frame with secrets masked, and what the tap read from it. */
export interface SeenFrame {
  readonly frame: Frame;
  readonly tapped: Tapped | undefined;
}

/** Frames that another thread has masked and tapped, by the original frame. */
export type SeenFar = ReadonlyMap<Frame, SeenFrame>;

/** What to mask in a stream: secrets within one event, and secrets split over several. */
export interface Masking {
  readonly secrets: Secrets;
  readonly trail: SecretTrail;
}

/** Starts masking one stream. */
export const maskingOf = (secrets: Secrets): Masking => ({ secrets, trail: new SecretTrail(secrets) });

/** Masks our key in a frame; `data` is mostly a slice of `raw`. */
export const maskFrame = (frame: Frame, { secrets, trail }: Masking): void =>
  maskPieces(frame, trail, maskParts(frame, secrets));

/** Masks and taps a frame in this thread. */
export const maskAndTap = (
  frame: Frame,
  format: Pick<UpstreamFormat, 'tap'>,
  { secrets, trail }: Masking,
): SeenFrame => {
  const places = maskParts(frame, secrets);
  const tapped = format.tap(frame);
  // Frames without text, such as pings, do not separate the pieces of a key.
  if (tapped?.content === true) maskPieces(frame, trail, places);
  return { frame: withoutCosts(frame), tapped };
};

/**
 * The event without the fields that reveal the operator's costs. If its JSON stood on several lines, it is on one line
 * afterwards.
 */
export const withoutCosts = (frame: Frame): Frame => {
  const { raw, data, event } = frame;
  if (!hideCosts(data) || isPartOf(data, raw)) return frame;
  return { ...frame, ...writeFrame(data.toString().replaceAll('\n', ' '), event) };
};

/** Offsets at which a secret may begin: in the frame, and in its data if that is a separate buffer. */
interface Places {
  readonly inRaw: readonly number[];
  readonly inData: readonly number[] | undefined;
}

const maskParts = ({ raw, data }: Frame, secrets: Secrets): Places => ({
  inRaw: secrets.maskEvent(raw),
  inData: isPartOf(data, raw) ? undefined : secrets.maskEvent(data),
});

const maskPieces = ({ raw, data }: Frame, trail: SecretTrail, { inRaw, inData }: Places): void => {
  const { mark } = trail;
  trail.maskEvent(raw, inRaw);
  if (inData === undefined) return;
  trail.goBack(mark);
  trail.maskEvent(data, inData);
};

/** Masks a message of a realtime conversation in place. */
export const maskMessage = (message: Buffer, { secrets, trail }: Masking): Buffer => {
  trail.maskEvent(message, secrets.maskEvent(message));
  return message;
};

/** Small buffers share one ArrayBuffer without being slices of each other, so offsets are compared. */
export const isPartOf = (part: Buffer, whole: Buffer): boolean =>
  part.buffer === whole.buffer &&
  part.byteOffset >= whole.byteOffset &&
  part.byteOffset + part.length <= whole.byteOffset + whole.length;

/**
 * An error without secrets, safe to show and to store: the message of an upstream or provider may contain a key or the
 * upstream's address.
 */
export const withoutSecrets = (error: AppError, secrets: Secrets): AppError => {
  const { code, message, cause, param, retryAfterSeconds, reason, upstream, values, isUnsent } = error;
  const parts = { message, param, reason, upstream };
  const before = JSON.stringify(parts);
  const clean = withoutHosts(secrets.maskText(before), secrets.hosts);
  if (clean === before) return error;
  const masked = JSON.parse(clean) as typeof parts;
  return new AppError(code, masked.message, {
    cause,
    values,
    isUnsent,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(masked.param !== undefined && { param: masked.param }),
    ...(masked.reason !== undefined && { reason: masked.reason }),
    ...(masked.upstream !== undefined && { upstream: masked.upstream }),
  });
};

/** An address, also one inside another address, where `://` is written `%3a%2f%2f`. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}(?::\/\/|%3a%2f%2f)[^\s"'<>)\]}\\]+/gi;

/**
 * Removes addresses at these hosts and at related ones: `api.reseller.example` and `www.reseller.example` have one
 * owner.
 */
const withoutHosts = (text: string, hosts: readonly string[]): string =>
  hosts.reduce((clean, host) => {
    const name = houseOf(host);
    if (name.length < LEAST_NAME || !clean.toLowerCase().includes(name)) return clean;
    const shown = clean.replace(ADDRESS, (address) => (isOf(address, name) ? '[address]' : address));
    return shown.replaceAll(
      new RegExp(
        `(?:(?<![\\w-])|(?<=%[\\da-f]{2}))(?:[\\w-]+\\.)*${RegExp.escape(name)}(?![\\w-])(?::\\d+)?`,
        'gi',
      ),
      '[address]',
    );
  }, text);

const LEAST_NAME = 4;

/** The part of a host name that belongs to one owner, approximately: `reseller.example`, `reseller.com.example`. */
const houseOf = (host: string): string => {
  const labels = host.toLowerCase().split('.');
  if (labels.every((label) => /^\d+$/.test(label))) return host;
  const isShort = (labels.at(-2)?.length ?? 0) <= 3 && labels.length > 2;
  return labels.slice(isShort ? -3 : -2).join('.');
};

const isOf = (address: string, name: string): boolean => {
  const host = /^[^:]+:\/\/(?:[^@/]*@)?([^/?#:]+)/.exec(withMarks(address))?.[1]?.toLowerCase() ?? '';
  return host === name || host.endsWith(`.${name}`);
};
