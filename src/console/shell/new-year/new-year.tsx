import './new-year.css';
import { IconConfetti } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';

/** Source: specification, app shell: the page is reloaded after about 13 seconds. */
const RELOAD_MS = 13_000;
const PIECES = 90;

/** Position and speed of each piece, computed from its index: no randomness is needed. */
const pieces = Array.from({ length: PIECES }, (_, at) => ({
  left: (at * 37) % 100,
  delay: ((at * 53) % 90) / 10,
  seconds: 3 + ((at * 29) % 40) / 10,
  colour: (at % 5) + 1,
}));

/** The greeting of New Year's Day, with confetti on request, unless reduced motion is preferred. */
const NewYear = () => {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(false);
  const celebrate = (): void => {
    setOn(true);
    setTimeout(() => location.reload(), RELOAD_MS);
  };
  return (
    <>
      <button type="button" className="top-link new-year" disabled={isOn} onClick={celebrate}>
        <IconConfetti size={16} aria-hidden />
        {t('shell.newYear')}
      </button>
      {isOn && (
        <div className="confetti" aria-hidden>
          {pieces.map((piece, at) => (
            <i
              key={at}
              style={{
                left: `${piece.left}%`,
                animationDelay: `${piece.delay}s`,
                animationDuration: `${piece.seconds}s`,
                background: `var(--chart-${piece.colour})`,
              }}
            />
          ))}
        </div>
      )}
    </>
  );
};

export default NewYear;
