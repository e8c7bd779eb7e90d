import { StopCutter } from '#core/chat/stop-cutter.ts';
import { asEgress } from './format.ts';
import type { Running } from './running.ts';

/** What ends the answer at the caller's stop sequences, where its upstream does not. */
export const cutterOf = ({ format, chatRequest }: Running): StopCutter | undefined => {
  const stops = chatRequest?.stop ?? [];
  return stops.length > 0 && asEgress(format).hasNoStops === true ? new StopCutter(stops) : undefined;
};
