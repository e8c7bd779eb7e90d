import './playground.css';
import './messages/messages.css';
import './composer/composer.css';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../lib/toasts.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { ChatView } from './chat-view.tsx';
import { useTalk } from './talk/use-talk.ts';

/** A chat with any model the user may use, at the user's own cost. */
const PlaygroundPage = () => {
  const userId = useSession()?.id ?? 0;
  const { talk, open } = useTalk(userId);
  useExpiredNotice();
  return talk === undefined ? (
    <div className="playground" aria-busy />
  ) : (
    <ChatView key={`${userId} ${talk.id}`} talk={talk} userId={userId} onOpen={open} />
  );
};

/** Older pages redirect here with `?expired=true` after the session has ended. */
const useExpiredNotice = (): void => {
  const { t } = useTranslation();
  const [{ expired }] = useUrlState();
  const tell = useEffectEvent(() => toast('bad', t('error.signedOut')));
  useEffect(() => {
    if (expired === 'true') tell();
  }, [expired]);
};

export default PlaygroundPage;
