import './playground.css';
import './messages.css';
import './composer.css';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../lib/toasts.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { ChatView } from './chat-view.tsx';
import { type Item, sampleExchange, settled } from './conversation.ts';
import { loadConversation, saveConversation, type StoredConversation } from './conversation-store.ts';
import { type Chat, startChat } from './start-chat.ts';

const SAVE_AFTER_MS = 400;

/** A chat with any model the user may use, at the user's own cost. */
const PlaygroundPage = () => {
  const userId = useSession()?.id ?? 0;
  const chat = useKeptChat(userId);
  useExpiredNotice();
  return chat === undefined ? (
    <div className="playground" aria-busy />
  ) : (
    <ChatView key={userId} chat={chat} userId={userId} />
  );
};

/** The conversation as it was left, or the sample; undefined while it is read. It is saved as it goes on. */
const useKeptChat = (userId: number): Chat | undefined => {
  const { t } = useTranslation('playground');
  const [chat, setChat] = useState<Chat>();
  // Texts may be loaded at any time (another language, the next page): that is no reason to begin anew.
  const begin = useEffectEvent((stored: StoredConversation): Chat => {
    if (stored.kind === 'unreadable') toast('bad', t('error.unreadable'));
    return startChat(
      stored.kind === 'found' && stored.items.length > 0
        ? settled(stored.items, t('error.interrupted'))
        : sampleExchange(t('sample.hello'), t('sample.answer')),
    );
  });
  useEffect(() => {
    let isWanted = true;
    let started: Chat | undefined;
    void loadConversation(userId).then((stored) => {
      if (!isWanted) return;
      started = begin(stored);
      setChat(started);
    });
    return () => {
      isWanted = false;
      started?.stop();
      setChat(undefined);
    };
  }, [userId]);
  useEffect(() => (chat === undefined ? undefined : saveChanges(userId, chat)), [userId, chat]);
  return chat;
};

/** Writes the conversation a moment after it changed, and when the page is left. */
const saveChanges = (userId: number, chat: Chat): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved: readonly Item[] = chat.items.get();
  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const items = chat.items.get();
    if (items === saved) return;
    saved = items;
    void saveConversation(userId, items);
  };
  const unwatch = chat.items.watch(() => {
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  });
  addEventListener('pagehide', save);
  return () => {
    unwatch();
    removeEventListener('pagehide', save);
    save();
  };
};

/** Old links come here with `?expired=true` when the session is over. */
const useExpiredNotice = (): void => {
  const { t } = useTranslation();
  const [{ expired }] = useUrlState();
  const tell = useEffectEvent(() => toast('bad', t('error.signedOut')));
  useEffect(() => {
    if (expired === 'true') tell();
  }, [expired]);
};

export default PlaygroundPage;
