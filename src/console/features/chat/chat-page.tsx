import './chat.css';
import { IconExternalLink } from '@tabler/icons-react';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { sandboxOf, type ChatLink } from '../../lib/chat-link.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { readStored, store } from '../../lib/browser/stored.ts';
import { useChatLink, type ChatState } from './use-chat-link.ts';

/** How long the notice is shown before the token list. Source: specification, states. */
const LEAVE_AFTER_MS = 1500;
const LINK_PATH = '/chat2link';

/** A third-party chat program in a frame, which uses one of the user's tokens. */
const ChatPage = () => {
  const { id } = useParams({ strict: false }) as { readonly id?: string };
  const isRedirect = useLocation().pathname === LINK_PATH;
  const wanted = /^\d{1,4}$/.test(id ?? '') ? Number(id) : undefined;
  const chat = useChatLink(isRedirect ? undefined : (wanted ?? (id === undefined ? 0 : -1)));
  switch (chat.state) {
    case 'loading':
      return <Skeleton height={240} />;
    case 'failed':
      return <ErrorState error={chat.error} onRetry={chat.retry} />;
    case 'problem':
      return <Problem problem={chat.problem} />;
    case 'ready':
      return <Chat key={chat.link.url} link={chat.link} isRedirect={isRedirect} />;
  }
};

type ProblemName = Extract<ChatState, { state: 'problem' }>['problem'];

/** Without a token the chat cannot work, so it leads to the token list, where one can be created. */
const Problem = ({ problem }: { readonly problem: ProblemName }) => {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => {
    if (problem !== 'noToken') return undefined;
    const timer = setTimeout(() => void navigate({ to: '/token' }), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [problem, navigate]);
  return (
    <div role="alert">
      <h1 className="hidden-visually">{common('page.chat')}</h1>
      <EmptyState text={t(problem)}>
        {problem !== 'noToken' && (
          <Link to="/playground" className="button">
            {t('playground')}
          </Link>
        )}
      </EmptyState>
    </div>
  );
};

interface ChatProps {
  readonly link: ChatLink;
  readonly isRedirect: boolean;
}

/** Asks for consent once per site that receives a key, then opens it. */
const Chat = ({ link, isRedirect }: ChatProps) => {
  const agreedKey = `chat-agreed:${link.receiver}`;
  const [isAgreed, setAgreed] = useState(!link.hasKey || readStored(agreedKey) === 'true');
  const agree = (): void => {
    store(agreedKey, 'true');
    setAgreed(true);
  };
  if (!isAgreed) return <Warning receiver={link.receiver} onAgree={agree} />;
  return isRedirect || link.kind === 'app' ? (
    <Opened link={link} isRedirect={isRedirect} />
  ) : (
    <Framed url={link.url} />
  );
};

const Warning = ({ receiver, onAgree }: { readonly receiver: string; readonly onAgree: () => void }) => {
  const { t } = useTranslation('chat');
  const navigate = useNavigate();
  return (
    <section className="chat-warning">
      <h1>{t('warnTitle', { receiver })}</h1>
      <p>{t('warnText', { receiver })}</p>
      <div className="chat-buttons">
        <Button onClick={() => void navigate({ to: '/token' })}>{t('warnNo')}</Button>
        <Button variant="primary" onClick={onAgree}>
          {t('warnYes')}
        </Button>
      </div>
    </section>
  );
};

const Framed = ({ url }: { readonly url: string }) => {
  const { t } = useTranslation('chat');
  return (
    <iframe
      className="chat-frame"
      title={t('frame')}
      src={url}
      sandbox={sandboxOf(url, location.origin)}
      allow="clipboard-write"
      referrerPolicy="no-referrer"
    />
  );
};

/** Opens the program; if the browser does not, there is a button. */
const Opened = ({ link, isRedirect }: ChatProps) => {
  const { t } = useTranslation('chat');
  useEffect(() => {
    if (isRedirect && link.kind === 'web') location.replace(link.url);
    else location.assign(link.url);
  }, [isRedirect, link]);
  return (
    <EmptyState text={t('opening', { receiver: link.receiver })} icon={<IconExternalLink size={22} />}>
      <Button onClick={() => location.assign(link.url)}>{t('open')}</Button>
    </EmptyState>
  );
};

export default ChatPage;
