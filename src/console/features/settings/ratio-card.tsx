import { Suspense } from 'react';
import { resetModelRatio } from '#contract/api/site/options.ts';
import { lateSection } from '../../kit/late-section.tsx';
import { Button } from '../../kit/button.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { Segmented } from '../../kit/segmented.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { OptionCard } from './option-card.tsx';
import { UnsetRatios } from './ratio/unset-ratios.tsx';
import { VisualRatios } from './ratio/visual-ratios.tsx';
import { OPTIONS, type Settings } from './use-settings.ts';

const PriceForm = lateSection(withTexts('price-form', () => import('./price-form/price-form.tsx')));

const views = ['json', 'visual', 'unset', 'dimensions'] as const;
type View = (typeof views)[number];

interface RatioCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

/** Model prices in four ways: as JSON, as a table, the models without a price, and the price dimensions. */
export const RatioCard = ({ card, settings }: RatioCardProps) => {
  const { t } = useTranslation('settings');
  const [url, patch] = useUrlState();
  const view: View = views.find((name) => name === url['ratio']) ?? 'json';
  const reset = useAction({
    run: () => call(resetModelRatio),
    refresh: [OPTIONS],
  });
  const ask = async (): Promise<void> => {
    const action = t('ratio.reset');
    if (!(await confirm({ title: action, text: t('ratio.resetAsk'), action, danger: true }))) return;
    reset.mutate(undefined, {
      onSuccess: (draft) => {
        settings.discard(['ModelRatio']);
        toast('ok', t(draft === null ? 'ratio.resetDone' : 'waitsForApproval'));
      },
    });
  };
  const tabs = (
    <Segmented
      label={t('ratio.views')}
      value={view}
      options={views.map((value) => ({ value, label: t(`ratio.${value}`) }))}
      onChange={(next) => patch({ ratio: next === 'json' ? undefined : next, option: undefined })}
    />
  );
  if (view === 'json')
    return (
      <OptionCard
        card={card}
        settings={settings}
        head={tabs}
        actions={
          <Button variant="plain" busy={reset.isPending} onClick={() => void ask()}>
            {t('ratio.reset')}
          </Button>
        }
      />
    );
  return (
    <section className="setting-card" id={`card-${card.id}`} aria-labelledby={`card-${card.id}-title`}>
      <header>
        <h2 id={`card-${card.id}-title`}>{t(`card.${card.id}.title`)}</h2>
        <p>{t(`card.${card.id}.about`)}</p>
        <div className="setting-head">{tabs}</div>
      </header>
      {view === 'visual' && <VisualRatios settings={settings} />}
      {view === 'unset' && <UnsetRatios settings={settings} />}
      {view === 'dimensions' && (
        <Suspense>
          <PriceForm settings={settings} />
        </Suspense>
      )}
    </section>
  );
};
