import { useEffect } from 'react';
import { readChannelHours } from '#contract/api/logs/data.ts';
import { call } from '../../../lib/server/api.ts';
import { onUserChange } from '../../../lib/session/session.ts';
import { signal, useSignal } from '../../../lib/browser/signal.ts';
import { firstHourOf, type Health, healthByChannel } from './health-slots.ts';

type Healths = ReadonlyMap<number, Health>;

const REFRESH_MS = 60_000;
/** Rows that appear within this time are requested together. */
const TOGETHER_MS = 150;
/** The most channels that one request may name. */
const MOST_TOGETHER = 100;

/** The health of the channels on the screen, set as a whole, so that a hundred rows are drawn once. */
const healths = signal<Healths>(new Map());
/** How many places show each channel. */
const shown = new Map<number, number>();
/** Those shown that were not asked for since they appeared. */
const unread = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

const readHealths = async (ids: readonly number[]): Promise<Healths> => {
  const first = firstHourOf(Date.now());
  const found = new Map<number, Health>();
  for (let from = 0; from < ids.length; from += MOST_TOGETHER) {
    const query = { start_timestamp: first, ids: ids.slice(from, from + MOST_TOGETHER).join(',') };
    for (const [id, health] of healthByChannel(await call(readChannelHours, { query }), first))
      found.set(id, health);
  }
  return found;
};

/** Asks for those that have appeared since, or for all once that is due. */
const read = async (): Promise<void> => {
  timer = undefined;
  if (shown.size === 0) return;
  if (document.hidden) {
    document.addEventListener('visibilitychange', () => readIn(0), { once: true });
    return;
  }
  const ids = [...(unread.size > 0 ? unread : shown.keys())];
  unread.clear();
  // On failure the strips stay unchanged, because the list shows the error.
  const found = await readHealths(ids).catch(() => undefined);
  if (found !== undefined) {
    const asked = new Set(ids);
    const others = [...healths.get()].filter(([id]) => shown.has(id) && !asked.has(id));
    healths.set(new Map([...others, ...found]));
  }
  if (timer === undefined) readIn(REFRESH_MS);
};

const readIn = (delayMs: number): void => {
  clearTimeout(timer);
  timer = setTimeout(() => void read(), delayMs);
};

onUserChange(() => {
  healths.set(new Map());
  for (const id of shown.keys()) unread.add(id);
});

/**
 * The last day's health of a visible channel; undefined without calls. Channels that are not visible are not requested.
 */
export const useHealth = (channelId: number): Health | undefined => {
  useEffect(() => {
    if (!shown.has(channelId)) unread.add(channelId);
    shown.set(channelId, (shown.get(channelId) ?? 0) + 1);
    readIn(TOGETHER_MS);
    return () => {
      const left = (shown.get(channelId) ?? 1) - 1;
      if (left === 0) {
        shown.delete(channelId);
        unread.delete(channelId);
      } else shown.set(channelId, left);
    };
  }, [channelId]);
  return useSignal(healths).get(channelId);
};
