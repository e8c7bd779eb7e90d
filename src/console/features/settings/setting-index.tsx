import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OptionKey } from '#contract/options.ts';
import { classNames } from '../../kit/class-names.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { cardsOf, settingCards, type SettingTab } from '../../lib/setting-cards.ts';
import { optionLabel } from './option-field.tsx';
import type { Settings } from './use-settings.ts';
import { SearchInput } from '../../kit/search-input.tsx';

const MAX_FOUND = 12;

/** The cards of the tab, with a mark at unsaved ones, and a search over all cards and options. */
export const SettingIndex = ({
  tab,
  settings,
}: {
  readonly tab: SettingTab;
  readonly settings: Settings;
}) => {
  const { t } = useTranslation('settings');
  const [wanted, setWanted] = useState('');
  const words = wanted.trim().toLowerCase();
  const found =
    words === ''
      ? []
      : settingCards
          .flatMap(({ id, tab: at, keys }) => [
            {
              at,
              name: t(`card.${id}.title`),
              also: t(`card.${id}.about`),
              search: { tab: at, card: id, option: undefined },
            },
            ...keys.map((key: OptionKey) => ({
              at,
              name: optionLabel(t, key),
              also: key,
              search: { tab: at, card: undefined, option: key },
            })),
          ])
          .filter(({ name, also }) => `${name} ${also}`.toLowerCase().includes(words))
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
          {found.map(({ at, name, search }) => (
            <li key={search.option ?? search.card}>
              <Link to="/setting" search={search} onClick={() => setWanted('')} className="setting-found">
                {name}
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
