import { useState } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { Shell } from '../../lib/text/quoted.ts';
import { type Part, partText } from './client.ts';

interface PartViewProps {
  readonly part: Part;
  readonly shell: Shell;
  /** Masks the key against onlookers. */
  readonly veil: (text: string) => string;
  /** The first is copied under the plain name. */
  readonly isFirst: boolean;
}

/** One setup step with a copy button. Alternatives are folded. */
export const PartView = (props: PartViewProps) => {
  const { t } = useTranslation('connect');
  const [isOpen, setOpen] = useState(false);
  const { part } = props;
  if (part.isOther !== true) return <PartBox {...props} />;
  return (
    <details className="connect-other" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('orElse', { title: titleOf(part, t) })}</summary>
      {isOpen && <PartBox {...props} />}
    </details>
  );
};

const titleOf = (part: Part, t: ReturnType<typeof useTranslation<'connect'>>['t']): string => {
  if (part.kind === 'file') return part.file;
  return part.kind === 'fields' ? part.where : t(`kind.${part.kind}`);
};

const PartBox = ({ part, shell, veil, isFirst }: PartViewProps) => {
  const { t } = useTranslation('connect');
  const text = partText(part, shell);
  const title = titleOf(part, t);
  return (
    <div>
      <div className="connect-text">
        <header>
          <h3 className={part.kind === 'file' ? 'mono' : undefined}>{title}</h3>
          {part.kind === 'file' && <span className="meta">{t('kind.file')}</span>}
          <span className="top-space" />
          <Copy value={text} iconOnly label={isFirst ? t('copy') : t('copyNamed', { name: title })} />
        </header>
        {part.kind === 'code' && part.install !== undefined && (
          <p className="connect-install">
            <Copy value={part.install} mono label={t('copyInstall')} />
          </p>
        )}
        {part.kind === 'fields' ? (
          <dl className="connect-fields">
            {Object.entries(part.fields).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Copy value={value} shown={veil(value)} mono label={t('copyNamed', { name })} />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <pre className="mono" tabIndex={0} aria-label={title}>
            {veil(text)}
          </pre>
        )}
      </div>
      <p className="meta connect-hint">{t(`hint.${part.kind}`)}</p>
    </div>
  );
};
