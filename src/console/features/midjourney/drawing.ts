import { listDrawings, listOwnDrawings } from '#contract/api/logs/tasks.ts';
import type { Data } from '#contract/endpoint.ts';
import { withoutEnd } from '#contract/without-end.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import type { Tone } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { siteStatus } from '../../lib/server/site-status.ts';
import { HOUR_S, MONTH_S } from '../../lib/text/spans.ts';
import { channelId } from '../../shared/channel-id.ts';

export type Drawing = Data<typeof listDrawings>['items'][number];

/** From 30 days back to an hour ahead, unless a time is chosen. Source: specification, default date ranges. */
export const rangeOf = (
  filters: Readonly<Record<string, string>>,
  nowMs: number,
): { readonly start_timestamp: number; readonly end_timestamp: number } => ({
  start_timestamp: (Number(filters['time_from']) || 0) * 1000 || nowMs - MONTH_S * 1000,
  end_timestamp: (Number(filters['time_to']) || 0) * 1000 || nowMs + HOUR_S * 1000,
});

export const loadDrawings = (isAdmin: boolean, view: View, signal: AbortSignal): Promise<Page<Drawing>> => {
  const { mj_id = '', channel_id = '' } = view.filters;
  const query = {
    p: view.page,
    page_size: view.pageSize,
    sort: sortText(view.sort),
    mj_id: mj_id.trim(),
    ...rangeOf(view.filters, Date.now()),
  };
  return isAdmin
    ? call(listDrawings, { query: { ...query, channel_id: channelId(channel_id) } }, signal)
    : call(listOwnDrawings, { query }, signal);
};

/**
 * The address of a drawing's picture. On this site it is taken from where the console was opened: the address that the operator has
 * set is for other programs, and may not be reached from here.
 */
export const pictureOf = (
  { image_url: url, mj_id: id }: Pick<Drawing, 'image_url' | 'mj_id'>,
  serverAddress = siteStatus()?.server_address ?? '',
): string => {
  const path = `/mj/image/${id}`;
  return serverAddress !== '' && url === withoutEnd(serverAddress, '/') + path ? path : url;
};

/** Source: specification, the actions of a drawing. */
const actionTones = {
  IMAGINE: 'info',
  UPSCALE: 'warn',
  VARIATION: 'ok',
  HIGH_VARIATION: 'ok',
  LOW_VARIATION: 'ok',
  PAN: 'info',
  DESCRIBE: 'warn',
  BLEND: 'lime',
  UPLOAD: 'info',
  SHORTEN: 'bad',
  REROLL: 'info',
  INPAINT: 'lime',
  ZOOM: 'ok',
  CUSTOM_ZOOM: 'ok',
  MODAL: 'ok',
  SWAP_FACE: 'ok',
} as const satisfies Record<string, Tone>;
export type Action = keyof typeof actionTones;

export const isAction = (word: string): word is Action => Object.hasOwn(actionTones, word);
export const actionTone = (action: string): Tone => (isAction(action) ? actionTones[action] : 'muted');

const statusTones = {
  SUCCESS: 'ok',
  NOT_START: 'muted',
  SUBMITTED: 'warn',
  IN_PROGRESS: 'info',
  FAILURE: 'bad',
  MODAL: 'warn',
} as const satisfies Record<string, Tone>;
export type DrawingStatus = keyof typeof statusTones;

export const isStatus = (word: string): word is DrawingStatus => Object.hasOwn(statusTones, word);
export const statusTone = (status: string): Tone => (isStatus(status) ? statusTones[status] : 'muted');

/** The upstream's answer to the submission. */
export const submitTone = (code: number): Tone => {
  if (code === 1) return 'ok';
  if (code === 21) return 'lime';
  return code === 22 ? 'warn' : 'muted';
};

const SLOW_MS = 60_000;

/** Duration, red above a minute; undefined until the task has ended. Source: specification, constants. */
export const durationOf = (
  drawing: Pick<Drawing, 'submit_time' | 'finish_time'>,
): { readonly ms: number; readonly tone: Tone } | undefined => {
  if (drawing.finish_time === 0 || drawing.submit_time === 0) return undefined;
  const ms = Math.max(0, drawing.finish_time - drawing.submit_time);
  return { ms, tone: ms > SLOW_MS ? 'bad' : 'ok' };
};
