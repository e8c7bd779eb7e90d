import { StopCutter } from '#core/chat/stop-cutter.ts';
import { asEgress } from './format.ts';
import type { Running } from './running.ts';

/** What ends the answer at the caller's stop sequences, where its upstream does not, or not at all of them. */
export const cutterOf = ({ format, chatRequest, upstreamModel }: Running): StopCutter | undefined => {
  const stops = chatRequest?.stop?.filter((stop) => stop !== '') ?? [];
  if (stops.length === 0) return undefined;
  const { hasNoStops, mostStops } = asEgress(format);
  const isBeyond = stops.length > (mostStops?.(upstreamModel) ?? stops.length);
  return hasNoStops === true || isBeyond ? new StopCutter(stops) : undefined;
};
