import { formatRelative, formatTime, MISSING } from '../../lib/text/format.ts';

const notYet = <span className="tone-muted">{MISSING}</span>;

/** A moment: relative words with the exact local time on hover, or the other way round with `exact`. 0 is "not yet". */
export const TimeText = ({ at, exact = false }: { readonly at: number; readonly exact?: boolean }) => {
  if (at <= 0) return notYet;
  const [shown, tip] = exact ? [formatTime(at), formatRelative(at)] : [formatRelative(at), formatTime(at)];
  return (
    <time className="number nowrap" dateTime={new Date(at * 1000).toISOString()} data-tip={tip}>
      {shown}
    </time>
  );
};

/** A moment in two lines, for tables with many columns: the hour, and the day below it. */
export const TimeLines = ({ at }: { readonly at: number }) => {
  if (at <= 0) return notYet;
  const [day = '', hour] = formatTime(at).split(' ');
  return (
    <time
      className="time-lines number"
      dateTime={new Date(at * 1000).toISOString()}
      data-tip={formatRelative(at)}
    >
      <span>{hour}</span>
      <span className="meta">{day}</span>
    </time>
  );
};
