import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type OptionKey, optionRow } from '#contract/options.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/states.tsx';
import { toast } from '../../lib/toasts.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { OptionField } from './option-field.tsx';
import type { Settings } from './use-settings.ts';

interface OptionCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
  /** Asked before saving: the groups in use that may be removed; undefined cancels saving. */
  readonly mayRemove?: () => Promise<readonly string[] | undefined>;
  /** More below the heading. */
  readonly head?: ReactNode;
  /** Additional buttons beside "save". */
  readonly actions?: ReactNode;
  /** More below the fields. */
  readonly children?: ReactNode;
}

/** Short fields share a row, long ones take the whole width. */
const isWide = (key: OptionKey): boolean => ['json', 'lines', 'long-text'].includes(optionRow(key).kind);

/** Some options that are saved together. */
export const OptionCard = ({ card, settings, mayRemove, head, actions, children }: OptionCardProps) => {
  const { t } = useTranslation('settings');
  const { t: tCommon } = useTranslation();
  const changed = settings.changed(card.keys);
  const locked = card.keys.filter((key) => settings.isLocked(key)).length;
  const isLocked = locked > 0 && locked === card.keys.length;
  const flags = card.keys.filter((key) => optionRow(key).kind === 'flag');
  const narrow = card.keys.filter((key) => optionRow(key).kind !== 'flag' && !isWide(key));
  const wide = card.keys.filter(isWide);
  const save = async (): Promise<void> => {
    // Payment gateways call this site back, so its address must be set.
    if (card.id === 'payment' && settings.saved.get('ServerAddress') === '') {
      toast('bad', t('save.addressFirst'));
      return;
    }
    const removed = mayRemove === undefined ? [] : await mayRemove();
    if (removed !== undefined) await settings.save(card.keys, removed);
  };
  const fields = (keys: readonly OptionKey[]) =>
    keys.map((key) => <OptionField key={key} optionKey={key} settings={settings} />);
  return (
    <section
      className="setting-card"
      id={`card-${card.id}`}
      aria-labelledby={`card-${card.id}-title`}
      data-changed={changed.length > 0 || undefined}
    >
      <header>
        <h2 id={`card-${card.id}-title`}>{t(`card.${card.id}.title`)}</h2>
        <p>{t(`card.${card.id}.about`)}</p>
        {head !== undefined && <div className="setting-head">{head}</div>}
      </header>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {locked > 0 && <Notice tone="info">{t(isLocked ? 'lock.all' : 'lock.some')}</Notice>}
        {narrow.length > 0 && <div className="setting-narrow">{fields(narrow)}</div>}
        {flags.length > 0 && <div className="setting-flags">{fields(flags)}</div>}
        {wide.length > 0 && <div className="setting-wide">{fields(wide)}</div>}
        {children}
        {(!isLocked || actions !== undefined) && (
          <div className="setting-foot">
            {changed.length > 0 && (
              <span className="setting-count">{t('changes', { count: changed.length })}</span>
            )}
            <span className="top-space" />
            {actions}
            {changed.length > 0 && (
              <Button
                variant="plain"
                icon={<IconArrowBackUp size={16} />}
                onClick={() => settings.discard(card.keys)}
              >
                {t('discard')}
              </Button>
            )}
            {!isLocked && (
              <Button
                type="submit"
                variant={changed.length > 0 ? 'primary' : 'default'}
                busy={settings.isSaving && changed.length > 0}
                aria-label={t('saveCard', { name: t(`card.${card.id}.title`) })}
              >
                {tCommon('action.save')}
              </Button>
            )}
          </div>
        )}
      </form>
    </section>
  );
};
