import type { Frame } from '../../dialects/frame.ts';
import { cutOther } from '../../dialects/ends/cut-words.ts';
import { writeFrame } from '../../dialects/sse.ts';
import { limitsIfLarge } from '../bill/limits-of-call.ts';
import { chargeOf, type Meter, newMeter, noteFrame } from '../bill/meter.ts';
import type { RollingHold } from '../bill/hold/rolling-hold.ts';
import { beginningOf } from './paid-words.ts';
import type { SeenFrame } from './mask.ts';
import { unitsOf } from '../bill/settle.ts';
import type { Answered } from '../stages.ts';
import { usageWithin } from '#core/quota/afford.ts';
import type { Usage } from '#core/chat/usage.ts';
import { parsedFields } from '#core/json/fields.ts';

// Ends a stream whose hold cannot grow any more as if the answer had reached its maximum length, in the caller's
// format.

type MoneyEnd = Pick<Answered, 'live' | 'format'>;

/**
 * Shows frames one by one, each only if the hold covers it. If the hold is nearly used up, waits for the ledger to grow
 * it; if there is no money for a frame, ends the stream after as many of its words as are paid. Returns whether to continue.
 */
export const showPaid = async (
  { live, format }: MoneyEnd,
  frames: readonly Frame[],
  hear: (frame: Frame) => SeenFrame,
  show: (seen: SeenFrame) => boolean | Promise<boolean>,
): Promise<boolean> => {
  const { rolling, meter } = live;
  for (const frame of frames) {
    const { outputBytes: before, produced: isLater } = meter;
    const seen = hear(frame);
    const said = meter.outputBytes - before;
    rolling?.density.hear(frame, said);
    const paid = rolling === undefined ? Infinity : await paidBytes(rolling, meter, said, !isLater);
    if (live.stopped !== undefined) throw live.stopped;
    if (paid >= meter.outputBytes) {
      if (!(await show(seen))) return false;
      continue;
    }
    live.cutBefore = frame;
    for (const choice of seen.tapped?.ended ?? []) meter.ended?.delete(choice);
    const part = partOf(seen, format, { said, paid: paid - before });
    live.isPartShown = part !== undefined;
    if (part !== undefined) await show(part);
    return false;
  }
  return true;
};

/** How many bytes of the answer are paid, those already shown included. Grows the hold if they are too few. */
const paidBytes = async (
  rolling: RollingHold,
  meter: Meter,
  said: number,
  isFirst: boolean,
): Promise<number> => {
  // The answer begins with its first real event; of that frame only the words are counted.
  if (!meter.produced || (isFirst && said === 0)) return Infinity;
  const isSaid = said > 0;
  if (rolling.covers(meter, isSaid) || (await rolling.grows(meter, isSaid))) return Infinity;
  return isSaid ? rolling.paidBytes(meter, isFirst || meter.finished) : -1;
};

/** The frame cut to this many bytes of its words; undefined if no words are left. */
const partOf = (
  { frame }: SeenFrame,
  format: MoneyEnd['format'],
  { said, paid }: { readonly said: number; readonly paid: number },
): SeenFrame | undefined => {
  const event = paid <= 0 || frame.oversized === true ? undefined : parsedFields(frame.data);
  if (event === undefined) return undefined;
  let left = paid;
  const cut = (words: string): string => {
    const kept = beginningOf(words, left);
    left -= Buffer.byteLength(kept);
    return kept;
  };
  const part = format.cutWords?.(event, cut) ?? cutOther(event, said, cut);
  if (part === undefined || left === paid) return undefined;
  const shown = writeFrame(JSON.stringify(part), frame.event);
  const tapped = format.tap(shown);
  const isSure = tapped?.finish === undefined && (tapped?.outputBytes ?? Infinity) <= paid;
  return isSure ? { frame: shown, tapped } : undefined;
};

/**
 * Shows the first frames of a stream. The chunk with the first real event may hold many more frames. If the hold does
 * not cover all of them, they are metered again and shown one by one. Returns whether to continue.
 */
export const showFirst = async (
  answered: MoneyEnd,
  first: readonly SeenFrame[],
  show: (frames: readonly SeenFrame[]) => boolean | Promise<boolean>,
): Promise<boolean> => {
  const { meter, rolling } = answered.live;
  if (rolling === undefined || rolling.look(meter) > 0) return show(first);
  for (const { frame, tapped } of first) rolling.density.hear(frame, tapped?.outputBytes ?? 0);
  if (!rolling.isShort(meter)) return show(first);
  Object.assign(meter, newMeter());
  const known = new Map(first.map((seen) => [seen.frame, seen]));
  const hearAgain = (frame: Frame): SeenFrame => {
    const seen = known.get(frame) ?? { frame, tapped: undefined };
    noteFrame(meter, seen.frame, seen.tapped);
    return seen;
  };
  return showPaid(answered, [...known.keys()], hearAgain, (seen) => show([seen]));
};

/** The usage to charge for a stream that is ended here. */
export const chargedUsage = (answered: Answered): Usage | undefined => {
  const { live, request } = answered;
  const { facts } = request;
  const charge = chargeOf(live.meter, facts, limitsIfLarge(answered));
  if (charge.action === 'void') return undefined;
  return usageWithin((usage) => unitsOf(answered, usage), charge.usage, live.rolling?.heldUnits ?? 0);
};

/** The frames that end a forwarded stream after everything before `next` was sent. */
export const limitFrames = (answered: Answered, next: Frame): readonly Frame[] => {
  const { wire, request, live } = answered;
  const { choices, wantsStreamUsage } = request.facts;
  const openChoices = Array.from({ length: choices }, (_, choice) => choice).filter(
    (choice) => live.meter.ended?.has(choice) !== true,
  );
  const usage = wantsStreamUsage ? chargedUsage(answered) : undefined;
  const { outlet } = live;
  outlet.releaseEnd();
  const { first, shown } = outlet;
  const { isPartShown } = live;
  return wire.endAtLimit?.({ first, next, openChoices, usage, shown, isPartShown }) ?? [];
};
