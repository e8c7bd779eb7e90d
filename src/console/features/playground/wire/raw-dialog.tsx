import './raw-dialog.css';
import { Copy } from '../../../kit/copy.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useSignal } from '../../../lib/browser/signal.ts';
import type { Exchange } from './exchange.ts';

const NEAR_END_PX = 24;

/** A reply's raw request and response events. */
const RawDialog = ({ exchange, onClose }: { readonly exchange: Exchange; readonly onClose: () => void }) => {
  const { t } = useTranslation('playground');
  const { method, path, request } = exchange;
  const { status, answer, isCut } = useSignal(exchange.shown);
  return (
    <Dialog title={t('raw.title')} onClose={onClose} width={860}>
      <RawPart title={t('raw.request')} about={`${method} ${path}`} text={request} />
      <RawPart title={t('raw.events')} about={status === 0 ? '' : `HTTP ${status}`} text={answer} />
      {isCut && <p className="tone-muted">{t('raw.cut')}</p>}
    </Dialog>
  );
};

interface RawPartProps {
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

const RawPart = ({ title, about, text }: RawPartProps) => {
  const { t } = useTranslation('playground');
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(false);
  // Keeps scrolling with new data while the reader is at the end.
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  return (
    <section className="raw-part" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span className="meta mono truncate">{about}</span>
        {text !== '' && <Copy value={text} label={t('raw.copy', { name: title })} iconOnly />}
      </header>
      <pre
        ref={box}
        className="mono"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        {text === '' ? t('raw.nothing') : text}
      </pre>
    </section>
  );
};

export default RawDialog;
