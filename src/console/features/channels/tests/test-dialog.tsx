import './test-dialog.css';
import { IconArrowsExchange, IconBolt, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { Copy } from '../../../kit/copy.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { formatDuration } from '../../../lib/text/format.ts';
import { listOf, responseTone, type Channel } from '../channel.ts';
import { TestReport } from './report-view.tsx';
import { useModelTests, type ModelTest } from './use-model-tests.ts';
import { Switch } from '../../../kit/status.tsx';
import { SearchInput } from '../../../kit/search-input.tsx';

/** Sends a small request for one, some or all models of a channel, and says of each whether it works. */
const TestDialog = ({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) => {
  const { t } = useTranslation('channel-more');
  const [search, setSearch] = useState('');
  const [isStreamed, setStreamed] = useState(false);
  const [shown, setShown] = useState<string>();
  const tests = useModelTests(channel);
  const models = listOf(channel.models);
  const found = models.filter((model) => model.toLowerCase().includes(search.trim().toLowerCase()));
  const label = found.length === models.length ? t('test.all') : t('test.some', { count: found.length });
  const { total, done, passed } = tests.progress;
  const report = shown === undefined ? undefined : reportOf(tests.results.get(shown));

  const foot = (
    <>
      <span className="drawer-extra meta" role="status">
        {done > 0 && t('test.summary', { count: passed, passed, failed: done - passed })}
      </span>
      {tests.isRunning ? (
        <Button onClick={tests.stop}>{t('test.stop')}</Button>
      ) : (
        <Button
          variant="primary"
          disabled={found.length === 0}
          onClick={() => void tests.run(found, isStreamed)}
        >
          {label}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={t('test.title', { name: channel.name })} width={860} onClose={onClose} foot={foot}>
      <div className="test-bar">
        <SearchInput label={t('test.search')} value={search} onChange={setSearch} isFirst />
        <Switch checked={isStreamed} onChange={setStreamed} label={t('test.stream')}>
          {t('test.stream')}
        </Switch>
        {total > 0 && (
          <>
            <progress
              className="batch-progress-bar"
              value={done}
              max={total}
              aria-label={t('test.progressLabel')}
            />
            <span className="meta number nowrap">{t('test.progress', { done, total })}</span>
          </>
        )}
      </div>
      {found.length === 0 && <p className="meta">{t('test.none')}</p>}
      <ul className="test-grid">
        {found.map((model) => (
          <li key={model}>
            <ModelTile
              model={model}
              test={tests.results.get(model)}
              isDefault={model === channel.test_model}
              onTest={() => void tests.run([model], isStreamed)}
              isShown={model === shown}
              onShow={() => setShown(model === shown ? undefined : model)}
            />
          </li>
        ))}
      </ul>
      {report !== undefined && (
        <section className="test-shown" aria-label={t('report.of', { model: shown })}>
          <h3>{t('report.of', { model: shown })}</h3>
          <TestReport report={report} />
        </section>
      )}
    </Dialog>
  );
};

const reportOf = (test: ModelTest | undefined) =>
  test !== undefined && 'report' in test ? test.report : undefined;

interface ModelTileProps {
  readonly model: string;
  readonly test: ModelTest | undefined;
  readonly isDefault: boolean;
  readonly onTest: () => void;
  /** Whether its report is shown below. */
  readonly isShown: boolean;
  readonly onShow: () => void;
}

const ModelTile = ({ model, test, isDefault, onTest, isShown, onShow }: ModelTileProps) => {
  const { t } = useTranslation('channel-more');
  const isBusy = test?.state === 'running' || test?.state === 'waiting';
  return (
    <div className={classNames('test-tile', test !== undefined && `test-${test.state}`)}>
      <button
        type="button"
        className="test-run"
        aria-label={t('test.one', { model })}
        disabled={isBusy}
        onClick={onTest}
      >
        <span className="mono test-model">{model}</span>
        <TestMark test={test} />
      </button>
      <span className="test-note">
        <TestNote test={test} />
        {reportOf(test) !== undefined && (
          <IconButton label={t('report.show', { model })} aria-expanded={isShown} onClick={onShow}>
            <IconArrowsExchange size={14} />
          </IconButton>
        )}
        {isDefault && test === undefined && <span className="tone-muted"> · {t('test.testModel')}</span>}
      </span>
    </div>
  );
};

const TestMark = ({ test }: { readonly test: ModelTest | undefined }) => {
  switch (test?.state) {
    case 'running':
      return <span className="channel-spin" />;
    case 'passed':
      return <IconCheck size={16} className="tone-ok" />;
    case 'failed':
      return <IconX size={16} className="tone-bad" />;
    default:
      return <IconBolt size={15} className="tone-muted" />;
  }
};

const TestNote = ({ test }: { readonly test: ModelTest | undefined }) => {
  const { t } = useTranslation('channel-more');
  switch (test?.state) {
    case undefined:
      return <span className="tone-muted">{t('test.idle')}</span>;
    case 'waiting':
      return <span className="tone-muted">{t('test.waiting')}</span>;
    case 'running':
      return <span className="tone-muted">{t('test.running')}</span>;
    case 'passed':
      return (
        <span className={`number tone-${responseTone(test.milliseconds)}`}>
          {formatDuration(test.milliseconds)}
        </span>
      );
    case 'failed':
      return (
        <span className="test-error">
          <span className="tone-bad" data-tip={test.message}>
            {test.message}
          </span>
          <Copy value={test.message} iconOnly label={t('test.copyError')} />
        </span>
      );
    default:
      return test satisfies never;
  }
};

export default TestDialog;
