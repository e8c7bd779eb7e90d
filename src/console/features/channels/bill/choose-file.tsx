import { IconFileImport } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { RECONCILED_FILE_MAX_BYTES } from '#contract/limits.ts';
import { Button } from '../../../kit/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { Notice } from '../../../kit/states.tsx';
import { formatCount } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';

interface ChooseFileProps {
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
}

const KILO = 1024;

/** Chooses the file, also by dropping it. */
export const ChooseFile = ({ file, onChoose }: ChooseFileProps) => {
  const { t } = useTranslation('channel-bill');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isTooLong, setTooLong] = useState(false);
  const take = (chosen: File | undefined): void => {
    if (chosen === undefined) return;
    setTooLong(chosen.size > RECONCILED_FILE_MAX_BYTES);
    if (chosen.size <= RECONCILED_FILE_MAX_BYTES) onChoose(chosen);
  };
  return (
    <div
      className={classNames('bill-file', isOver && 'bill-file-over')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,text/plain"
        aria-label={t('choose')}
        onChange={(event) => {
          take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button icon={<IconFileImport size={16} />} onClick={() => input.current?.click()}>
        {t(file === undefined ? 'choose' : 'chooseOther')}
      </Button>
      {file === undefined ? (
        <p className="meta">{t('about')}</p>
      ) : (
        <p className="bill-name">
          {file.name}{' '}
          <span className="meta">{t('size', { size: formatCount(Math.ceil(file.size / KILO)) })}</span>
        </p>
      )}
      {isTooLong && <Notice tone="bad">{t('tooLong')}</Notice>}
    </div>
  );
};
