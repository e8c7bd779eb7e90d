import { type Fields, parsedObject } from '#contract/json-text.ts';
import type { listChannels } from '#contract/api/channels/channels.ts';
import { channelStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import type { Tone } from '../../kit/status.tsx';

/** A channel as the API returns it: without its key. */
export type Channel = Data<typeof listChannels>['items'][number];

/** The query key of the list. */
export const CHANNELS = 'channels';
/** The query key of the tags. */
export const CHANNEL_TAGS = 'channel-tags';

export const isEnabled = (channel: Channel): boolean => channel.status === channelStatus.enabled;

/** `a, b,,a` → `['a', 'b']` */
export const listOf = (commaText: string): string[] => [
  ...new Set(
    commaText
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];

interface StopReason {
  readonly reason: string;
  /** Unix seconds; 0 when it is not known. */
  readonly at: number;
}

/** Reason and time of an automatic disable; undefined if there was none. */
export const stopReason = (channel: Channel): StopReason | undefined => {
  if (channel.status !== channelStatus.autoDisabled) return undefined;
  const info = readObject(channel.other_info);
  const { status_reason: reason, status_time: at } = info;
  return { reason: typeof reason === 'string' ? reason : '', at: typeof at === 'number' ? at : 0 };
};

/** Parses a JSON object; an empty object if the text is none. */
export const readObject = (text: string): Fields => parsedObject(text) ?? {};

/** Untested; up to 1 s; up to 3 s; up to 5 s; slower. Source: specification, channel response time. */
export const responseTone = (milliseconds: number): Tone => {
  if (milliseconds <= 0) return 'muted';
  if (milliseconds <= 1000) return 'ok';
  if (milliseconds <= 3000) return 'lime';
  return milliseconds <= 5000 ? 'warn' : 'bad';
};
