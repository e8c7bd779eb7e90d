import type { Frame } from '../../dialects/frame.ts';
import type { Live } from '../live.ts';
import { limitsIfLarge } from '../bill/limits-of-call.ts';
import { chargeOf, newMeter, noteFrame } from '../bill/meter.ts';
import type { SeenFrame } from './mask.ts';
import { unitsOf } from '../bill/settle.ts';
import { callerDialect } from '../request/format.ts';
import type { Answered } from '../stages.ts';
import { usageWithin } from '#core/quota/afford.ts';
import type { Usage } from '#core/chat/usage.ts';

// Ends a stream whose hold cannot grow any more as if the answer had reached its maximum length, in the caller's
// format.

/**
 * Shows frames one by one, each only if the hold covers it. If the hold is nearly used up, waits for the ledger to grow
 * it; if there is no money for a frame, ends the stream before that frame. Returns whether to continue.
 */
export const showPaid = async <Heard>(
  live: Live,
  frames: readonly Frame[],
  hear: (frame: Frame) => Heard,
  show: (read: Heard) => boolean | Promise<boolean>,
): Promise<boolean> => {
  const { rolling } = live;
  for (const frame of frames) {
    const { outputBytes } = live.meter;
    const read = hear(frame);
    rolling?.density.hear(frame, live.meter.outputBytes - outputBytes);
    if (rolling?.covers(live.meter) === false && !(await rolling.grows(live.meter))) live.cutBefore = frame;
    if (live.stopped !== undefined) throw live.stopped;
    if (live.cutBefore !== undefined || !(await show(read))) return false;
  }
  return true;
};

/**
 * Shows the first frames of a stream. The chunk with the first real event may hold many more frames. If the hold does
 * not cover all of them, they are metered again and shown one by one. Returns whether to continue.
 */
export const showFirst = async (
  live: Live,
  first: readonly SeenFrame[],
  show: (frames: readonly SeenFrame[]) => boolean | Promise<boolean>,
): Promise<boolean> => {
  const { meter, rolling } = live;
  if (rolling?.nears(meter, 0) !== true) return show(first);
  for (const { frame, tapped } of first) rolling.density.hear(frame, tapped?.outputBytes ?? 0);
  if (!rolling.isShort(meter)) return show(first);
  Object.assign(meter, newMeter());
  const hear = (seen: SeenFrame): void => noteFrame(meter, seen.frame, seen.tapped);
  const begun: SeenFrame[] = [];
  const left = first.values();
  for (const seen of left) {
    hear(seen);
    begun.push(seen);
    if (meter.produced) break;
  }
  if (!(await show(begun))) return false;
  const more = new Map([...left].map((seen) => [seen.frame, seen]));
  const hearAgain = (frame: Frame): readonly SeenFrame[] => {
    const seen = more.get(frame) ?? { frame, tapped: undefined };
    hear(seen);
    return [seen];
  };
  return showPaid(live, [...more.keys()], hearAgain, show);
};

/** The usage to charge for a stream that is ended here. */
export const chargedUsage = (answered: Answered): Usage | undefined => {
  const { live, request } = answered;
  const charge = chargeOf(live.meter, request.facts.inputTokensEstimate, limitsIfLarge(answered));
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
  return callerDialect(wire).endAtLimit({ first, next, openChoices, usage, shown });
};
