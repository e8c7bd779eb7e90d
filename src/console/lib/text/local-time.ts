import { formatTime } from './format.ts';

/** `2026-11-21T09:30:00`, the format of the browser's date and time field. */
export const localText = (unixSeconds: number | undefined): string =>
  unixSeconds === undefined ? '' : formatTime(unixSeconds).replace(' ', 'T');

/** Unix seconds of a local time; undefined if it does not parse. */
export const readLocal = (text: string): number | undefined => {
  const milliseconds = new Date(text).getTime();
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
};
