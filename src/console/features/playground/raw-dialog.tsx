import './raw-dialog.css';
import { Copy } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import type { Exchange } from './exchange.ts';

/** What went over the wire for a reply: the request as it was sent, and the events as they came. */
const RawDialog = ({ exchange, onClose }: { readonly exchange: Exchange; readonly onClose: () => void }) => {
  const { t } = useTranslation('playground');
  const { method, path, status, request, answer, isCut } = exchange;
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
  return (
    <section className="raw-part" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span className="meta mono truncate">{about}</span>
        {text !== '' && <Copy value={text} label={t('raw.copy', { name: title })} iconOnly />}
      </header>
      <pre className="mono" tabIndex={0}>
        {text === '' ? t('raw.nothing') : text}
      </pre>
    </section>
  );
};

export default RawDialog;
