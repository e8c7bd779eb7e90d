import { IconPencil } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import type { ChatSettings } from '../wire/chat-request.ts';
import { isSendKey } from '../composer/composer.tsx';
import type { Message } from '../talk/conversation.ts';
import { RemoveButton } from './remove-button.tsx';
import type { Chat } from '../talk/start-chat.ts';

interface UserMessageProps {
  readonly message: Message;
  readonly chat: Chat;
  readonly settings: ChatSettings;
}

/** A user message with buttons to edit and resend it. */
export const UserMessage = memo(({ message, chat, settings }: UserMessageProps) => {
  const { t } = useTranslation('playground');
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <Editor
        message={message}
        onCancel={() => setEditing(false)}
        onSend={(text) => {
          setEditing(false);
          chat.resend(settings, message, text);
        }}
      />
    );
  }
  return (
    <article className="said" aria-label={t('you')}>
      <div className="said-box">
        {message.images.length > 0 && (
          <div className="pictures">
            {message.images.map((url, at) => (
              <span key={url} className="picture">
                <img src={url} alt={t('picture.named', { at: at + 1 })} />
              </span>
            ))}
          </div>
        )}
        {message.content !== '' && <p className="said-text">{message.content}</p>}
      </div>
      <div className="message-tools">
        {message.content !== '' && <Copy value={message.content} label={t('copyMessage')} iconOnly />}
        <IconButton label={t('edit')} onClick={() => setEditing(true)}>
          <IconPencil size={15} />
        </IconButton>
        <RemoveButton item={message} chat={chat} />
      </div>
    </article>
  );
});

interface EditorProps {
  readonly message: Message;
  readonly onCancel: () => void;
  readonly onSend: (text: string) => void;
}

const Editor = ({ message, onCancel, onSend }: EditorProps) => {
  const { t } = useTranslation('playground');
  const [text, setText] = useState(message.content);
  const isReady = text.trim() !== '' || message.images.length > 0;
  const send = (): void => {
    if (isReady) onSend(text.trim());
  };
  return (
    <form
      className="composer-box said-editor"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        className="composer-text"
        aria-label={t('editMessage')}
        rows={2}
        value={text}
        ref={focusAtEnd}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (!isSendKey(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="said-editor-foot">
        <span className="meta">{t('editHint')}</span>
        <Button size="small" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button size="small" variant="primary" type="submit" disabled={!isReady}>
          {t('composer.send')}
        </Button>
      </div>
    </form>
  );
};

const focusAtEnd = (element: HTMLTextAreaElement | null): void => {
  element?.focus();
  element?.setSelectionRange(element.value.length, element.value.length);
};
