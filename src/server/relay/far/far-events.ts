import { AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import type { Frame } from '../../dialects/frame.ts';
import { hideCosts } from '../../dialects/hide-costs.ts';
import { type UpstreamFormat, withFailuresAsErrors } from '../request/format.ts';
import { isPartOf, type SeenFar, type SeenFrame } from '../answer/mask.ts';
import type { RelayCall } from '../calls.ts';
import type { Sent } from '../stages.ts';
import {
  channelToWire,
  errorFromWire,
  errorToWire,
  type FarAnswers,
  type FarEvent,
  type FarThreads,
} from './far-wire.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { bufferOf, copied } from './own-bytes.ts';

/** What another thread needs to know of a call to process its events. */
export interface EventCall extends Pick<Sent, 'wire' | 'format' | 'secrets' | 'upstreamModel' | 'channel'> {
  readonly call: Pick<RelayCall, 'operation' | 'dialect'>;
}

/**
 * Masks and taps the large frames in another thread; undefined if there are none. If no thread is free for a frame, it
 * is missing from the result and processed on this thread.
 */
export const tappedFar = (
  threads: FarThreads | undefined,
  sent: EventCall,
  frames: readonly Frame[],
): Promise<SeenFar> | undefined => {
  if (threads === undefined || !frames.some(isLarge)) return undefined;
  return lookedAt(threads, sent, frames.filter(isLarge));
};

const isLarge = ({ raw, data, oversized }: Frame): boolean =>
  raw.length > AT_ONCE_MAX_BYTES && oversized !== true && isPartOf(data, raw);

const lookedAt = async (threads: FarThreads, sent: EventCall, frames: readonly Frame[]): Promise<SeenFar> => {
  const { call, wire, format, secrets, upstreamModel, channel } = sent;
  const result = new Map<Frame, SeenFrame>();
  for (const frame of frames) {
    const { raw, data, event } = frame;
    const at = data.byteOffset - raw.byteOffset;
    const answer = await threads.hear<'event'>({
      kind: 'event',
      bytes: await copied([raw]),
      event,
      at,
      length: data.length,
      call: { operation: call.operation, dialect: call.dialect },
      channel: channelToWire(channel),
      upstreamModel,
      format: format === wire ? undefined : format.name,
      secrets: { texts: secrets.texts, hosts: secrets.hosts },
    });
    if (answer !== undefined) result.set(frame, asSeen(frame, answer, at));
  }
  return result;
};

const asSeen = (frame: Frame, { bytes, tapped, errors }: FarAnswers['event'], at: number): SeenFrame => {
  const raw = bufferOf(bytes);
  const { error, failure } = errors;
  return {
    frame: { ...frame, raw, data: raw.subarray(at, at + frame.data.length) },
    tapped:
      tapped === undefined
        ? undefined
        : {
            ...tapped,
            ...(error !== undefined && { error: errorFromWire(error) }),
            ...(failure !== undefined && { failure: errorFromWire(failure) }),
          },
  };
};

/** Masks and taps an event, in the worker thread. */
export const readFarEvent = (
  { bytes, event, at, length, secrets: { texts, hosts } }: FarEvent,
  format: UpstreamFormat,
  isForOthers: boolean,
): FarAnswers['event'] => {
  const raw = new Secrets(texts, hosts).mask(bufferOf(bytes));
  const tap = isForOthers ? withFailuresAsErrors(format).tap : format.tap;
  const data = raw.subarray(at, at + length);
  const seen = tap({ raw, event, data });
  hideCosts(data);
  const { error, failure, ...tapped } = seen ?? {};
  return {
    bytes,
    tapped: seen === undefined ? undefined : tapped,
    errors: {
      ...(error !== undefined && { error: errorToWire(error) }),
      ...(failure !== undefined && { failure: errorToWire(failure) }),
    },
  };
};
