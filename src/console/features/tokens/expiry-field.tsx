import { useRef, type ReactNode } from 'react';
import { NEVER_EXPIRES } from '#contract/codes.ts';
import { TextField } from '../../kit/fields/text-field.tsx';
import { localText, readLocal } from '../../lib/text/local-time.ts';
import { formatRelative, formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { readExpiry } from './token-form.ts';
import { EXPIRY_PICKS } from './token-picks.ts';

interface ExpiryFieldProps {
  readonly value?: string;
  readonly onChange: (text: string) => void;
  readonly error?: ReactNode;
}

/** When a token ends: typed, picked from a calendar, or by a shortcut. */
export const ExpiryField = ({ value = '', onChange, error }: ExpiryFieldProps) => {
  const { t } = useTranslation('tokens');
  const picker = useRef<HTMLInputElement>(null);
  const at = readExpiry(value);
  const isTime = at !== undefined && at !== NEVER_EXPIRES;
  const hint = isTime ? t('form.expiryAt', { relative: formatRelative(at) }) : t('form.expiryNever');
  const after = (seconds: number): void => onChange(formatTime(Math.floor(Date.now() / 1000) + seconds));
  return (
    <div className="field">
      <TextField
        label={t('form.expiry')}
        placeholder={t('form.expiryPlaceholder')}
        mono
        hint={hint}
        error={error}
        value={value}
        onChange={onChange}
        aside={
          <span className="expiry-pick">
            <button type="button" className="link" onClick={() => picker.current?.showPicker()}>
              {t('form.pick')}
            </button>
            <input
              ref={picker}
              type="datetime-local"
              step={1}
              tabIndex={-1}
              aria-hidden
              value={localText(isTime ? at : undefined)}
              onChange={(event) => {
                const picked = readLocal(event.target.value);
                if (picked !== undefined) onChange(formatTime(picked));
              }}
            />
          </span>
        }
      />
      <div className="presets">
        <button
          type="button"
          className="preset"
          aria-pressed={at === NEVER_EXPIRES}
          onClick={() => onChange('')}
        >
          {t('form.never')}
        </button>
        {EXPIRY_PICKS.map(([name, seconds]) => (
          <button key={name} type="button" className="preset" onClick={() => after(seconds)}>
            {t(`form.${name}`)}
          </button>
        ))}
      </div>
    </div>
  );
};
