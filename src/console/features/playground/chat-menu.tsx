import { IconBraces, IconDots, IconMarkdown, IconMessagePlus } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { Menu } from '../../kit/menu.tsx';
import { toast } from '../../lib/toasts.ts';
import { sampleExchange } from './conversation.ts';
import { asJson, asMarkdown, download } from './export-conversation.ts';
import type { Chat } from './start-chat.ts';

/** Actions on the whole conversation. */
export const ChatMenu = ({ chat }: { readonly chat: Chat }) => {
  const { t } = useTranslation('playground');
  const startAnew = (): void => {
    const putBack = chat.replace(sampleExchange(t('sample.hello'), t('sample.answer')));
    toast('info', t('startedAnew'), { label: t('undo'), run: putBack });
  };
  const names = { user: t('you'), assistant: t('assistant') };
  return (
    <Menu
      label={t('menu.label')}
      items={() => [
        { label: t('menu.new'), icon: <IconMessagePlus size={16} />, run: startAnew },
        {
          label: t('menu.markdown'),
          icon: <IconMarkdown size={16} />,
          parted: true,
          run: () => download(asMarkdown(chat.items.get(), names), 'text/markdown'),
        },
        {
          label: t('menu.json'),
          icon: <IconBraces size={16} />,
          run: () => download(asJson(chat.items.get()), 'application/json'),
        },
      ]}
    >
      <IconDots size={18} />
    </Menu>
  );
};
