import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { IconButton } from '../../../kit/button.tsx';
import { toast } from '../../../lib/toasts.ts';
import { focusComposer } from '../composer/focus-composer.ts';
import type { Item } from '../talk/conversation.ts';
import type { Chat } from '../talk/start-chat.ts';

/** Removes a message; it can be restored for a moment. */
export const RemoveButton = ({ item, chat }: { readonly item: Item; readonly chat: Chat }) => {
  const { t } = useTranslation('playground');
  return (
    <IconButton
      label={t('remove')}
      onClick={(event) => {
        focusComposer(event);
        const putBack = chat.remove(item);
        toast('info', t('removed'), { label: t('undo'), run: putBack });
      }}
    >
      <IconTrash size={15} />
    </IconButton>
  );
};
