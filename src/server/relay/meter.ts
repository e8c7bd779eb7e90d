import { completionTokens, type ToolCalls, type Usage } from '#core/chat/usage.ts';
import { type Charge, chargeFor } from '#core/quota/charge.ts';
import { isPlausible, mergeReports } from '#core/quota/merge-reports.ts';
import type { Tapped } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';

/** What has been seen of one answer. Counted as it passes; the answer itself is never kept. */
export interface Meter {
  reported: Usage | undefined;
  produced: boolean;
  finished: boolean;
  /** How many answers have said why they ended: of several choices each does. */
  finishes: number;
  outputBytes: number;
  /** As many of them had passed when the answer's cost was last told. */
  reportedBytes: number;
  /** Frames that said something, and no text. */
  events: number;
  /** As far as its cost was written down, should the server die: `outputBytes` then, and when; monotonic, 0 for never. */
  checkpointBytes: number;
  checkpointMs: number;
  /** Items its upstream may keep. */
  itemIds: string[] | undefined;
  /** Pictures that a tool drew in its middle, and what it used for them where it says so. */
  pictures: number;
  drawn: Usage | undefined;
  /** Calls of the upstream's own tools: as it sums them up, and as they have passed. */
  toolCalls: ToolCalls | undefined;
  seenCalls: ToolCalls | undefined;
}

export const newMeter = (): Meter => ({
  reported: undefined,
  produced: false,
  finished: false,
  finishes: 0,
  outputBytes: 0,
  reportedBytes: 0,
  events: 0,
  checkpointBytes: 0,
  checkpointMs: 0,
  itemIds: undefined,
  pictures: 0,
  drawn: undefined,
  toolCalls: undefined,
  seenCalls: undefined,
});

/** An answer has a few items; one that has more than this is referred to by its own id. */
const MOST_ITEMS = 256;

/** Adds what one frame or a whole reply told. Of usage the later report counts. */
export const note = (meter: Meter, tapped: Tapped): void => {
  if (tapped.usage !== undefined)
    meter.reported = mergeReports(meter.reported, tapped.usage, tapped.usageLacks);
  if (tapped.picture === true) meter.pictures += 1;
  if (tapped.drawn !== undefined) {
    meter.pictures = Math.max(meter.pictures, tapped.drawn.pictures);
    meter.drawn = tapped.drawn.usage ?? meter.drawn;
  }
  if (tapped.toolCalls !== undefined) meter.toolCalls = { ...meter.toolCalls, ...tapped.toolCalls };
  if (tapped.toolCall !== undefined) {
    const before = meter.seenCalls?.[tapped.toolCall] ?? 0;
    meter.seenCalls = { ...meter.seenCalls, [tapped.toolCall]: before + 1 };
  }
  if (tapped.content === true) meter.produced = true;
  if (tapped.outputBytes !== undefined) meter.outputBytes += tapped.outputBytes;
  if (tellsAnswer(tapped)) meter.reportedBytes = meter.outputBytes;
  if (tapped.finish !== undefined || tapped.done === true) meter.finished = true;
  if (tapped.finish !== undefined) {
    meter.produced = true;
    meter.finishes += 1;
  }
  if (tapped.itemId !== undefined && (meter.itemIds?.length ?? 0) < MOST_ITEMS)
    (meter.itemIds ??= []).push(tapped.itemId);
};

const tellsAnswer = ({ usage, usageLacks }: Tapped): boolean =>
  usage !== undefined &&
  isPlausible(usage) &&
  completionTokens(usage) > 0 &&
  usageLacks?.includes('outputTokens') !== true;

/** One frame of a stream. A piece of an event too large to be read is of a picture, say: something, but no text. */
export const noteFrame = (meter: Meter, frame: Frame, tapped: Tapped | undefined): void => {
  if (tapped !== undefined) note(meter, tapped);
  if (frame.oversized === true) meter.produced = true;
  // What tells a text counts as such, whether or not it was looked at.
  if (tapped?.outputBytes === undefined && !isSignOfLife(frame)) meter.events += 1;
};

/** How far an answer has come: it stands still while an upstream sends nothing but signs of life. */
export const progressOf = ({ events, outputBytes }: Meter): number => events + outputBytes;

const SIGN_MAX_BYTES = 64;

/** A comment, a blank line, a ping: says that the upstream is there, and nothing else. */
const isSignOfLife = ({ data, event, oversized }: Frame): boolean => {
  if (oversized === true) return false;
  if (data.length === 0 || event === 'ping' || event === 'keepalive') return true;
  return data.length < SIGN_MAX_BYTES && /"type":\s*"(?:ping|keepalive)"/.test(data.toString('latin1'));
};

/** What the answer costs as far as it has come. */
export const chargeOf = (meter: Meter, inputTokensEstimate: number): Charge =>
  chargeFor({
    reported: meter.reported,
    produced: meter.produced,
    outputBytes: meter.outputBytes,
    unreportedBytes: meter.outputBytes - meter.reportedBytes,
    inputTokensEstimate,
    complete: meter.finished,
    toolCalls: meter.toolCalls ?? meter.seenCalls,
  });
