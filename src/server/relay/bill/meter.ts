import { completionTokens, type ToolCalls, type Usage } from '#core/chat/usage.ts';
import { type CallEnd, type Charge, chargeFor } from '#core/quota/charge.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import { priceEntries } from '#core/quota/tool-prices.ts';
import type { UsageLimits } from '#core/quota/usage-limits.ts';
import { isPlausible, mergeReports, sumOfChoices } from '#core/quota/merge-reports.ts';
import type { Tapped } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { MOST_CALLS, searchesOfModel } from '../../dialects/openai/tools/tool-calls.ts';

/** What was counted of one answer as it passed; the answer itself is not stored. */
export interface Meter {
  reported: Usage | undefined;
  /** What `reported` is the sum of, while only choices have reported usage, each for itself. */
  reportedOfChoices: Map<number, Usage> | undefined;
  produced: boolean;
  finished: boolean;
  /** The number of choices that have reported an end reason. */
  finishes: number;
  /** The stream's end mark has come. */
  isOver: boolean;
  /** The choices that have ended: some upstreams report an end twice. */
  ended: Set<number> | undefined;
  outputBytes: number;
  /** `outputBytes` when the upstream last reported usage. */
  reportedBytes: number;
  /** `outputBytes` when the caller left an answer that we still read to its end. */
  shownBytes: number | undefined;
  /** The answer has mentioned thinking, not all of which is shown. */
  thinks: boolean;
  /** Estimated tokens of hidden thoughts that no report has covered. */
  unseenTokens: number;
  /** Frames that had content but no text. */
  events: number;
  /**
   * `outputBytes` and time of the last cost checkpoint, which is used if the server crashes; monotonic, 0 for never.
   */
  checkpointBytes: number;
  checkpointMs: number;
  /** Ids of items the upstream may keep. */
  itemIds: string[] | undefined;
  /** Ids of the containers that code ran in. */
  containerIds: Set<string> | undefined;
  /** The number of pictures a tool began to draw and drew during the answer, and their usage if it is reported. */
  picturesBegun: number;
  pictures: number;
  pictureUsage: Usage | undefined;
  /** Calls of the upstream's own tools: as reported in its total, and as seen in the stream. */
  toolCalls: ToolCalls | undefined;
  seenCalls: ToolCalls | undefined;
  /** The tier, speed and place the upstream said it served. */
  served: ServiceTerms | undefined;
  /** The model that the reply names. */
  namedModel: string | undefined;
  /** The upstream's id of the reply. */
  replyId: string | undefined;
}

/** Creates the meter of a call whose upstream has sent nothing yet. */
export const newMeter = (): Meter => ({
  reported: undefined,
  reportedOfChoices: undefined,
  produced: false,
  finished: false,
  finishes: 0,
  isOver: false,
  ended: undefined,
  outputBytes: 0,
  reportedBytes: 0,
  shownBytes: undefined,
  thinks: false,
  unseenTokens: 0,
  events: 0,
  checkpointBytes: 0,
  checkpointMs: 0,
  itemIds: undefined,
  containerIds: undefined,
  picturesBegun: 0,
  pictures: 0,
  pictureUsage: undefined,
  toolCalls: undefined,
  seenCalls: undefined,
  served: undefined,
  namedModel: undefined,
  replyId: undefined,
});

/** More items than an answer usually has. Items beyond it can only be found by their own id. */
const MOST_ITEMS = 256;

/** The most choices a call may ask for. */
const MOST_ENDED = 128;

/** Adds what one frame or a whole reply reported. A later usage report replaces an earlier one. */
export const note = (meter: Meter, tapped: Tapped): void => {
  noteUsage(meter, tapped);
  if (tapped.served !== undefined) meter.served = { ...meter.served, ...tapped.served };
  if (tapped.model !== undefined) {
    meter.namedModel = tapped.model;
    meter.replyId = tapped.replyId ?? meter.replyId;
  }
  if (tapped.drawing === true) meter.picturesBegun += 1;
  if (tapped.picture === true) meter.pictures += 1;
  if (tapped.pictures !== undefined) {
    meter.pictures = Math.max(meter.pictures, tapped.pictures.count);
    meter.pictureUsage = tapped.pictures.usage ?? meter.pictureUsage;
  }
  if (tapped.toolCalls !== undefined && !isRepeated(meter, tapped.toolCalls))
    meter.toolCalls = { ...meter.toolCalls, ...tapped.toolCalls };
  if (tapped.toolCall !== undefined) {
    // Code is charged by container. If an answer breaks off, the number of its containers is unknown, so one is
    // assumed.
    const before = tapped.toolCall === 'code_interpreter' ? 0 : (meter.seenCalls?.[tapped.toolCall] ?? 0);
    meter.seenCalls = { ...meter.seenCalls, [tapped.toolCall]: Math.min(before + 1, MOST_CALLS) };
  }
  if (tapped.content === true) meter.produced = true;
  if (tapped.thinks === true) meter.thinks = true;
  if (tapped.outputBytes !== undefined) meter.outputBytes += tapped.outputBytes;
  if (tapped.answerBytes !== undefined) meter.outputBytes = Math.max(meter.outputBytes, tapped.answerBytes);
  if (tellsAnswer(tapped)) meter.reportedBytes = meter.outputBytes;
  if (tapped.finish !== undefined || tapped.done === true) meter.finished = true;
  if (tapped.finish !== undefined) {
    meter.produced = true;
    meter.finishes += Math.max(1, tapped.ended?.length ?? 1);
  }
  for (const index of tapped.ended ?? [])
    if ((meter.ended?.size ?? 0) < MOST_ENDED) (meter.ended ??= new Set()).add(index);
  if (tapped.itemId !== undefined && (meter.itemIds?.length ?? 0) < MOST_ITEMS)
    (meter.itemIds ??= []).push(tapped.itemId);
  for (const id of tapped.containerIds ?? [])
    if ((meter.containerIds?.size ?? 0) < MOST_ITEMS) (meter.containerIds ??= new Set()).add(id);
};

/** Whether these calls were already reported as the total, which some upstreams repeat in every event. */
const isRepeated = ({ toolCalls: known }: Meter, calls: ToolCalls): boolean =>
  known !== undefined && priceEntries(calls).every(([tool, count]) => known[tool] === count);

/** Whether more than one choice has ended: some upstreams report the usage of each with its end. */
const haveSeveralEnded = ({ ended }: Meter, { ended: now = [] }: Tapped): boolean =>
  new Set([...(ended ?? []), ...now]).size > 1;

const noteUsage = (meter: Meter, tapped: Tapped): void => {
  const { usage, usageLacks, usageOfChoices } = tapped;
  if (usage === undefined) return;
  if (usageOfChoices !== undefined) {
    const known = (meter.reportedOfChoices ??= new Map<number, Usage>());
    for (const [index, ofChoice] of usageOfChoices)
      if (known.has(index) || known.size < MOST_ENDED)
        known.set(index, mergeReports(known.get(index), ofChoice));
    meter.reported = sumOfChoices(known.values());
    return;
  }
  // A report about the whole answer replaces the sum of the choices' reports.
  const isWhole = meter.reportedOfChoices !== undefined && isPlausible(usage);
  const earlier = isWhole ? undefined : meter.reported;
  meter.reported = earlier
    ? mergeReports(earlier, usage, usageLacks, haveSeveralEnded(meter, tapped))
    : usage;
  meter.reportedOfChoices = undefined;
};

const tellsAnswer = ({ usage, usageLacks }: Tapped): boolean =>
  usage !== undefined &&
  isPlausible(usage) &&
  completionTokens(usage) > 0 &&
  usageLacks?.includes('outputTokens') !== true;

/**
 * Whether a frame without words may end the answer, because something came before it. If that was only thoughts, the
 * reader of the stream reports an error.
 */
export const isExcused = ({ lacksWords }: Tapped, { produced }: Meter): boolean =>
  lacksWords === true && produced;

/**
 * Counts one frame of a stream. A piece of an oversized event, such as a picture, counts as content without text.
 * Frames after the end mark reach no caller and are not counted, even if they arrived together with it.
 */
export const noteFrame = (meter: Meter, frame: Frame, tapped: Tapped | undefined): void => {
  if (meter.isOver) return;
  if (tapped !== undefined) note(meter, tapped);
  meter.isOver = tapped?.done === true;
  if (frame.oversized === true) meter.produced = true;
  // A frame with text counts as text, whether or not it was parsed.
  if (tapped?.outputBytes === undefined && !isSignOfLife(frame)) meter.events += 1;
};

/** A number that grows whenever an answer advances. Pings do not change it. */
export const progressOf = ({ events, outputBytes }: Meter): number => events + outputBytes;

const SIGN_MAX_BYTES = 64;

/** A comment, a blank line or a ping: it only shows that the upstream is alive. */
const isSignOfLife = ({ data, event, oversized }: Frame): boolean => {
  if (oversized === true) return false;
  if (data.length === 0 || event === 'ping' || event === 'keepalive') return true;
  return data.length < SIGN_MAX_BYTES && /"type":\s*"(?:ping|keepalive)"/.test(data.toString('latin1'));
};

/** The upstream's own tools that ran: the reported total, else those seen so far. A new value after each further one. */
export const toolCallsOf = ({ toolCalls, seenCalls }: Meter): ToolCalls | undefined => toolCalls ?? seenCalls;

/** The facts of the request that the charge depends on. */
export type AskedFacts = Pick<
  CallEnd,
  'inputTokensEstimate' | 'speaks' | 'soundTokens' | 'knownTokens' | 'keepsAnHour'
> & { readonly model?: string };

/** The charge for the answer as far as it has come. */
export const chargeOf = (
  meter: Meter,
  { inputTokensEstimate, speaks = false, soundTokens, knownTokens, keepsAnHour, model }: AskedFacts,
  limits?: UsageLimits,
): Charge =>
  chargeFor({
    reported: meter.reported,
    produced: meter.produced,
    outputBytes: meter.outputBytes,
    unreportedBytes: meter.outputBytes - meter.reportedBytes,
    unshownBytes: meter.outputBytes - (meter.shownBytes ?? meter.outputBytes),
    unseenTokens: meter.unseenTokens,
    inputTokensEstimate,
    complete: meter.finished,
    // An answer that breaks off has no report, but the search that its model begins with has taken place.
    toolCalls: toolCallsOf(meter) ?? (meter.reported === undefined ? searchesOfModel(model) : undefined),
    thinks: meter.thinks,
    speaks,
    soundTokens,
    knownTokens,
    keepsAnHour,
    limits,
  });
