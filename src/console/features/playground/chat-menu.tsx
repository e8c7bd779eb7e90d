import { IconBraces, IconDots, IconMarkdown, IconMessagePlus } from '@tabler/icons-react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Menu } from '../../kit/overlays/menu.tsx';
import { toast } from '../../lib/toasts.ts';
import { asJson, asMarkdown, download } from './talk/export-conversation.ts';
import type { Talk } from './talk/start-talk.ts';

interface ChatMenuProps {
  readonly talk: Talk;
  /** The model of the panel. */
  readonly model: string;
  readonly onNew: () => void;
  /** Opens this conversation again. */
  readonly onBack: () => void;
}

/** Actions on the whole conversation. */
export const ChatMenu = ({ talk, model, onNew, onBack }: ChatMenuProps) => {
  const { t } = useTranslation('playground');
  const startAnew = (): void => {
    onNew();
    toast('info', t('startedAnew'), { label: t('undo'), run: onBack });
  };
  const words = {
    names: { user: t('you'), assistant: t('assistant') },
    cuts: {
      length: t('cut.length'),
      filter: t('cut.filter'),
      broken: t('cut.broken'),
      stopped: t('stopped'),
    },
  };
  const sides = () =>
    talk.lanes.get().map((lane) => ({ model: lane.model || model, items: lane.chat.items.get() }));
  return (
    <Menu
      label={t('menu.label')}
      items={() => [
        { label: t('menu.new'), icon: <IconMessagePlus size={16} />, run: startAnew },
        {
          label: t('menu.markdown'),
          icon: <IconMarkdown size={16} />,
          parted: true,
          run: () => download(asMarkdown(sides(), words), 'text/markdown'),
        },
        {
          label: t('menu.json'),
          icon: <IconBraces size={16} />,
          run: () => download(asJson(sides()), 'application/json'),
        },
      ]}
    >
      <IconDots size={18} />
    </Menu>
  );
};
