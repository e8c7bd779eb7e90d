import { resetModelRatio } from '#contract/api/options.ts';
import { Button } from '../../kit/button.tsx';
import { confirm } from '../../kit/dialogs.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useAction } from '../../lib/query.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { OptionCard } from './option-card.tsx';
import { OPTIONS, type Settings } from './use-settings.ts';

interface CardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

/** A card, with what only this one has beside its options. */
export const SpecialCard = ({ card, settings }: CardProps) => {
  switch (card.id) {
    case 'ratio':
      return <RatioCard card={card} settings={settings} />;
    default:
      return <OptionCard card={card} settings={settings} />;
  }
};

const RatioCard = ({ card, settings }: CardProps) => {
  const { t } = useTranslation('settings');
  const reset = useAction({
    run: () => call(resetModelRatio),
    done: t('ratio.resetDone'),
    refresh: [OPTIONS],
  });
  const ask = async (): Promise<void> => {
    const question = { title: t('ratio.reset'), text: t('ratio.resetAsk'), danger: true };
    if (!(await confirm(question))) return;
    settings.discard(['ModelRatio']);
    reset.mutate();
  };
  return (
    <OptionCard
      card={card}
      settings={settings}
      actions={
        <Button variant="plain" busy={reset.isPending} onClick={() => void ask()}>
          {t('ratio.reset')}
        </Button>
      }
    />
  );
};
