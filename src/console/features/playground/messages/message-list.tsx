import { useTranslation } from '../../../lib/text/i18n.ts';
import { useSignal } from '../../../lib/browser/signal.ts';
import type { ChatSettings } from '../wire/chat-request.ts';
import { Reply } from './reply.tsx';
import type { Chat } from '../talk/start-chat.ts';
import { UserMessage } from './user-message.tsx';

interface MessageListProps {
  readonly chat: Chat;
  readonly settings: ChatSettings;
}

/** The messages of the conversation. While a reply streams, only its row is rendered again. */
export const MessageList = ({ chat, settings }: MessageListProps) => {
  const { t } = useTranslation('playground');
  const items = useSignal(chat.items);
  if (items.length === 0) return <p className="pg-empty">{t('empty')}</p>;
  return (
    <div className="messages">
      {items.map((item, at) => {
        if (item.kind === 'divider') return <ContextCleared key={item.id} />;
        const isLast = at === items.length - 1;
        return item.role === 'user' ? (
          <UserMessage key={item.id} message={item} chat={chat} settings={settings} />
        ) : (
          <Reply
            key={item.id}
            message={item}
            isLast={isLast}
            hasQuestion={at > 0}
            chat={chat}
            settings={settings}
          />
        );
      })}
    </div>
  );
};

const ContextCleared = () => {
  const { t } = useTranslation('playground');
  return (
    <p className="pg-divider" role="separator" aria-label={t('contextCleared')}>
      <span>{t('contextCleared')}</span>
    </p>
  );
};
