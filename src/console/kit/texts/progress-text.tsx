import './progress-text.css';

/** Progress: a thin bar and the number. `isBad` if it failed. */
export const ProgressText = ({
  percent,
  label,
  isBad = false,
}: {
  /** `45%`; anything else counts as 0. */
  readonly percent: string;
  readonly label: string;
  readonly isBad?: boolean;
}) => {
  const value = Number.parseInt(percent, 10) || 0;
  return (
    <span className="progress-text">
      <progress
        className={isBad ? 'progress-line progress-line-bad' : 'progress-line'}
        value={value}
        max={100}
        aria-label={label}
      />
      <span className="number meta">{value}%</span>
    </span>
  );
};
