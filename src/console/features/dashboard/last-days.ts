import type { UrlState } from '../../lib/browser/url-state.ts';
import type { Span } from './usage-sums.ts';
import { DAY_S, HOUR_S } from '../../lib/text/spans.ts';

/** The ranges offered as buttons, in days. */
export const presets = [1, 3, 7, 30] as const;
export type Preset = (typeof presets)[number];

/** Source: specification, data dashboard: the last 3 days. */
const SHOWN_FIRST: Preset = 3;

/** The last days up to the end of the current hour, so that an open dashboard shows new calls. */
export const lastDays = (nowS: number, days: Preset): Span => {
  const to = nowS - (nowS % HOUR_S) + HOUR_S - 1;
  return { from: to + 1 - days * DAY_S, to };
};

const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,11}$/.test(text) ? Number(text) : undefined;

/** The range an address asks for: a typed one, or the last days, which move on with the clock. */
export const rangeOf = (
  { from, to, days }: UrlState,
  nowS: number,
): { readonly span: Span; readonly preset: Preset | undefined } => {
  const preset = presets.find((one) => String(one) === days) ?? SHOWN_FIRST;
  const recent = lastDays(nowS, preset);
  const typed = { from: secondsOf(from), to: secondsOf(to) };
  if (typed.from === undefined && typed.to === undefined) return { span: recent, preset };
  const end = typed.to ?? recent.to;
  const start = typed.from ?? end + 1 - preset * DAY_S;
  return start <= end ? { span: { from: start, to: end }, preset: undefined } : { span: recent, preset };
};
