import { useEffect } from 'react';
import { isOptionKey } from '#contract/options.ts';
import { useLeaveGuard } from '../../kit/dialogs/use-leave-guard.ts';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { cardsOf, settingCards, type SettingTab } from '../../lib/setting-cards.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { SettingIndex } from './setting-index.tsx';
import { SpecialCard } from './special-card.tsx';
import { type Settings, useSettings } from './use-settings.ts';

const FOCUS_MS = 80;

interface SiteSettingsProps {
  readonly tab: Exclude<SettingTab, 'personal'>;
  /** Is told the tabs with unsaved values, separated by spaces. */
  readonly onUnsaved: (tabs: string) => void;
}

/** The site's settings: an index and cards, each saved separately. */
const SiteSettings = ({ tab, onUnsaved }: SiteSettingsProps) => {
  const { query, settings } = useSettings();
  const unsaved = unsavedTabs(settings);
  useEffect(() => {
    onUnsaved(unsaved);
    return () => onUnsaved('');
  }, [unsaved, onUnsaved]);
  const isReady = settings !== undefined;
  useNamedInView(isReady);
  // Another tab of the site's settings keeps what was typed.
  useLeaveGuard(
    unsaved !== '',
    (current, next) => current.pathname === next.pathname && hasSiteTab(next.search),
  );
  if (settings === undefined)
    return query.isError ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Waiting />
    );
  return (
    <div className="setting-panes">
      <SettingIndex tab={tab} settings={settings} />
      <div className="setting-cards">
        {cardsOf(tab).map((card) => (
          <SpecialCard key={card.id} card={card} settings={settings} />
        ))}
      </div>
    </div>
  );
};

const unsavedTabs = (settings: Settings | undefined): string => {
  const dirty = settingCards.filter(({ keys }) => (settings?.changed(keys).length ?? 0) > 0);
  return [...new Set(dirty.map((card) => card.tab))].join(' ');
};

const Waiting = () => (
  <div className="setting-panes" aria-busy>
    <div />
    <div className="setting-cards">
      <Skeleton height={220} />
      <Skeleton height={160} />
    </div>
  </div>
);

/** Scrolls to the option or card that the address names. */
const useNamedInView = (isReady: boolean): void => {
  const [{ option = '', card = '' }] = useUrlState();
  useEffect(() => {
    const isCard = settingCards.some(({ id }) => id === card);
    if (!isReady || !(isOptionKey(option) || isCard)) return undefined;
    // A dialog that was open first returns its focus.
    const timer = setTimeout(() => {
      const named = document.getElementById(isOptionKey(option) ? `option-${option}` : `card-${card}`);
      named?.scrollIntoView({ block: isOptionKey(option) ? 'center' : 'start' });
      named?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true });
    }, FOCUS_MS);
    return () => clearTimeout(timer);
  }, [isReady, option, card]);
};

const hasSiteTab = (search: object): boolean => 'tab' in search && search.tab !== 'personal';

export default SiteSettings;
