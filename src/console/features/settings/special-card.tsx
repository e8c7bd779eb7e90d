import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { GroupsCard } from './groups-card.tsx';
import { LogCard } from './log-card.tsx';
import { MailCard } from './mail-card.tsx';
import { OptionCard } from './option-card.tsx';
import { RatioCard } from './ratio-card.tsx';
import { SealsCard } from './seals-card.tsx';
import { UpdatesCard } from './updates-card.tsx';
import type { Settings } from './use-settings.ts';

interface CardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

/** A settings card, with the parts that only this card has. */
export const SpecialCard = ({ card, settings }: CardProps) => {
  switch (card.id) {
    case 'groups':
      return <GroupsCard card={card} settings={settings} />;
    case 'log':
      return <LogCard card={card} settings={settings} />;
    case 'mail':
      return <MailCard card={card} settings={settings} />;
    case 'ratio':
      return <RatioCard card={card} settings={settings} />;
    case 'seals':
      return <SealsCard />;
    case 'updates':
      return <UpdatesCard card={card} settings={settings} />;
    default:
      return <OptionCard card={card} settings={settings} />;
  }
};
