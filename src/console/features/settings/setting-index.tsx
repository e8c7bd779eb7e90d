import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OptionKey } from '#contract/options.ts';
import { classNames } from '../../kit/class-names.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { cardsOf, settingCards, type SettingTab } from '../../lib/setting-cards.ts';
import { optionLabel } from './option-field.tsx';
import type { Settings } from './use-settings.ts';
import { SearchInput } from '../../kit/search-input.tsx';

const MAX_FOUND = 12;

/** The cards of the tab, with a mark where something is unsaved, and a search over every option there is. */
export const SettingIndex = ({
  tab,
  settings,
}: {
  readonly tab: SettingTab;
  readonly settings: Settings;
}) => {
  const { t } = useTranslation('settings');
  const [wanted, setWanted] = useState('');
  const label = (key: OptionKey): string => optionLabel(t, key);
  const words = wanted.trim().toLowerCase();
  const found =
    words === ''
      ? []
      : settingCards
          .flatMap((card) => card.keys.map((key: OptionKey) => ({ key, tab: card.tab })))
          .filter(({ key }) => `${label(key)} ${key}`.toLowerCase().includes(words))
          .slice(0, MAX_FOUND);
  return (
    <div className="setting-index">
      <label className="setting-search">
        <IconSearch size={15} aria-hidden />
        <SearchInput label={t('search')} value={wanted} onChange={setWanted} />
      </label>
      {words === '' ? (
        <ul>
          {cardsOf(tab).map((card) => (
            <li key={card.id}>
              <a
                href={`#card-${card.id}`}
                className={classNames(settings.changed(card.keys).length > 0 && 'setting-dirty')}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(`card-${card.id}`)?.scrollIntoView({ behavior: 'smooth' });
                }}
              >
                {t(`card.${card.id}.title`)}
                {settings.changed(card.keys).length > 0 && (
                  <span className="hidden-visually">{t('unsaved')}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <ul aria-label={t('search')}>
          {found.map(({ key, tab: at }) => (
            <li key={key}>
              <Link
                to="/setting"
                search={{ tab: at, option: key }}
                onClick={() => setWanted('')}
                className="setting-found"
              >
                {label(key)}
                <span className="meta">{t(`tab.${at}`)}</span>
              </Link>
            </li>
          ))}
          {found.length === 0 && <li className="meta">{t('nothingFound')}</li>}
        </ul>
      )}
    </div>
  );
};
