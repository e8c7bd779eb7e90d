import { formatRelative, formatTime, MISSING } from '../lib/format.ts';

/** A moment: relative words with the exact local time on hover, or the other way round with `exact`. 0 is "not yet". */
export const TimeText = ({ at, exact = false }: { readonly at: number; readonly exact?: boolean }) => {
  if (at <= 0) return <span className="tone-muted">{MISSING}</span>;
  const [shown, tip] = exact ? [formatTime(at), formatRelative(at)] : [formatRelative(at), formatTime(at)];
  return (
    <time className="number nowrap" dateTime={new Date(at * 1000).toISOString()} data-tip={tip}>
      {shown}
    </time>
  );
};
