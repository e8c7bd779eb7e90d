import { formatTime } from '../../lib/text/format.ts';
import { DAY_S } from '../../lib/text/spans.ts';

const GOOD_FROM = 99;
const FAIR_FROM = 95;

/** The tone of a share in percent; null means unknown. */
export const levelOf = (percent: number | null): 'good' | 'fair' | 'bad' | 'none' => {
  if (percent === null) return 'none';
  if (percent >= GOOD_FROM) return 'good';
  return percent >= FAIR_FROM ? 'fair' : 'bad';
};

/** `100%`, `99.5%` */
export const shownPercent = (percent: number): string => `${String(percent)}%`;

/** When a bar was: an hour in the reader's zone; a day as the server counts it, in UTC. */
export const barTime = (startS: number, stepSeconds: number): string =>
  stepSeconds >= DAY_S
    ? `${new Date(startS * 1000).toISOString().slice(0, 10)} UTC`
    : formatTime(startS).slice(0, 'yyyy-mm-dd hh:mm'.length);
