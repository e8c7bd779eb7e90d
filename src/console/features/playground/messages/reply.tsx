import { laidOut } from '#contract/json-text.ts';
import { IconCode, IconRefresh, IconTool } from '@tabler/icons-react';
import { memo, type SyntheticEvent } from 'react';
import { asSentence } from '../../../lib/server/api-error.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import type { ChatSettings } from '../wire/chat-request.ts';
import { isOver, type Message } from '../talk/conversation.ts';
import { focusComposer } from '../composer/focus-composer.ts';
import { RemoveButton } from './remove-button.tsx';
import { ReplyFoot } from './reply-foot.tsx';
import type { Chat } from '../talk/start-chat.ts';

interface ReplyProps {
  readonly message: Message;
  readonly isLast: boolean;
  /** There is a message before it, so it can be requested again. */
  readonly hasQuestion: boolean;
  readonly chat: Chat;
  readonly settings: ChatSettings;
}

/** A model's answer, streaming or complete. */
export const Reply = memo(({ message, isLast, hasQuestion, chat, settings }: ReplyProps) => {
  const { t } = useTranslation('playground');
  const isDone = isOver(message);
  const mayAsk = isLast && hasQuestion && isDone;
  const again = (event: SyntheticEvent): void => {
    focusComposer(event);
    chat.regenerate(settings, message);
  };
  return (
    <article
      className="reply"
      aria-label={message.model === '' ? t('assistant') : message.model}
      data-status={message.status}
    >
      <Thoughts message={message} />
      {message.status === 'loading' ? (
        <span className="typing" role="status" aria-label={t('waiting')}>
          <i />
          <i />
          <i />
        </span>
      ) : (
        message.content !== '' && <Markdown text={message.content} isStreaming={!isDone} />
      )}
      <ToolCalls message={message} />
      <Pictures message={message} />
      {message.status === 'error' && (
        <div className="notice notice-bad reply-error" role="alert">
          <span>{asSentence(message.error)}</span>
          {mayAsk && (
            <Button size="small" icon={<IconRefresh size={15} />} onClick={again}>
              {t('retry')}
            </Button>
          )}
        </div>
      )}
      {message.cut !== '' && message.cut !== 'stopped' && (
        <div className="notice notice-warn reply-error" role="note">
          {t(`cut.${message.cut}`)}
        </div>
      )}
      {isDone && (
        <footer className="reply-foot">
          <ReplyFoot message={message} />
          <div className="message-tools">
            {message.content !== '' && <Copy value={message.content} label={t('copyMessage')} iconOnly />}
            {mayAsk && message.status !== 'error' && (
              <IconButton label={t('regenerate')} onClick={again}>
                <IconRefresh size={15} />
              </IconButton>
            )}
            <RawButton message={message} chat={chat} />
            <RemoveButton item={message} chat={chat} />
          </div>
        </footer>
      )}
    </article>
  );
});

/** Opens the raw request and response, for replies of this visit. */
const RawButton = ({ message, chat }: Pick<ReplyProps, 'message' | 'chat'>) => {
  const { t } = useTranslation('playground');
  const exchange = chat.exchanges.get(message.id);
  if (exchange === undefined) return null;
  return (
    <IconButton label={t('raw.open')} onClick={() => chat.watched.set(exchange)}>
      <IconCode size={15} />
    </IconButton>
  );
};

/** The model's tool calls with their input. */
const ToolCalls = ({ message }: { readonly message: Message }) => {
  const { t } = useTranslation('playground');
  return message.tools.map(({ key, name, input }) => (
    <section key={key} className="tool-call" aria-label={t('tool.named', { name })}>
      <header>
        <IconTool size={15} aria-hidden />
        <span className="mono truncate">{name}</span>
        <span className="meta">{t('tool.asked')}</span>
        {input !== '' && <Copy value={input} label={t('tool.copy')} iconOnly />}
      </header>
      {input !== '' && (
        <pre className="mono" tabIndex={0} aria-label={t('tool.input')}>
          {laidOut(input)}
        </pre>
      )}
    </section>
  ));
};

/** The pictures the model drew. */
const Pictures = ({ message }: { readonly message: Message }) => {
  const { t } = useTranslation('playground');
  return message.images.map((url, at) => (
    <a key={url.slice(-64) + String(at)} className="drawn" href={url} download={`picture-${at + 1}`}>
      <img src={url} alt={t('picture.named', { at: at + 1 })} />
    </a>
  ));
};

const Thoughts = ({ message }: { readonly message: Message }) => {
  const { t } = useTranslation('playground');
  if (message.reasoning === '') return null;
  const isThinking = message.content === '' && !isOver(message);
  return (
    <details className="thoughts" open={isThinking || undefined}>
      <summary>{isThinking ? t('thinking') : t('thoughts')}</summary>
      <Markdown text={message.reasoning} isStreaming={isThinking} />
    </details>
  );
};
