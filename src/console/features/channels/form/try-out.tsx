import { IconBolt, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import type { ChannelTestReport } from '#contract/api/channels/channel-test-report.ts';
import { testUnsavedChannel } from '#contract/api/channels/channels.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { FoldedSection } from '../../../kit/folded-section.tsx';
import { showFirstError } from '../../../lib/browser/show-first-error.ts';
import { callWhole } from '../../../lib/server/api.ts';
import { ApiError, messageOf } from '../../../lib/server/api-error.ts';
import { formatDuration } from '../../../lib/text/format.ts';
import { useIsPhone } from '../../../lib/browser/media.ts';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { createBody, type ChannelValues } from './channel-form.ts';
import type { Probed } from '../channel-calls.ts';
import type { Channel } from '../channel.ts';
import { TestReport } from '../tests/report-view.tsx';
import { reportIn } from '../tests/test-report.ts';

type Verdict =
  | { readonly state: 'running'; readonly model: string }
  | ({ readonly state: 'works'; readonly model: string } & Probed)
  | {
      readonly state: 'fails';
      readonly model: string;
      readonly message: string;
      readonly report: ChannelTestReport | undefined;
    };

/** Sends a small test request with the form's values and its first key. */
const tryOut = async (
  values: ChannelValues,
  before: Channel | undefined,
  signal: AbortSignal,
): Promise<Probed> => {
  const body = { ...createBody(values), ...(before === undefined ? {} : { id: before.id }) };
  const { time, ...fields } = await callWhole(testUnsavedChannel, { body }, signal);
  return { milliseconds: Number(time) * 1000, report: reportIn(fields) };
};

/** Tests a channel before it is saved. The result stays above the buttons until it is closed. */
export const TryOut = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const [verdict, setVerdict] = useState<Verdict>();
  const isPhone = useIsPhone();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (): Promise<void> => {
    const { values } = form;
    const { hasErrors, errors } = form.validate();
    // The upstream does not see the channel's name, so it may be missing.
    if (hasErrors && Object.keys(errors).some((field) => field !== 'name')) return showFirstError();
    const model = values.test_model || (values.models[0] ?? '');
    const controller = new AbortController();
    running.current = controller;
    setVerdict({ state: 'running', model });
    try {
      setVerdict({ state: 'works', model, ...(await tryOut(values, before, controller.signal)) });
    } catch (error) {
      const report = error instanceof ApiError ? reportIn(error.beside) : undefined;
      if (!controller.signal.aborted)
        setVerdict({ state: 'fails', model, message: messageOf(error), report });
    }
  };
  const isRunning = verdict?.state === 'running';
  return (
    <>
      <Button
        icon={<IconBolt size={16} />}
        busy={isRunning}
        {...(isPhone ? {} : { 'data-tip': t('form.tryHint') })}
        onClick={() => void run()}
      >
        {t('form.tryOut')}
      </Button>
      <div className="try-verdict" role="status">
        {verdict !== undefined && (
          <VerdictLine verdict={verdict} onClose={isRunning ? undefined : () => setVerdict(undefined)} />
        )}
      </div>
    </>
  );
};

interface VerdictLineProps {
  readonly verdict: Verdict;
  readonly onClose: (() => void) | undefined;
}

const VerdictLine = ({ verdict, onClose }: VerdictLineProps) => {
  const { t } = useTranslation('channel-more');
  const tones = { running: 'info', works: 'ok', fails: 'bad' } as const;
  const { model } = verdict;
  return (
    <div className={`notice notice-${tones[verdict.state]} try-line`}>
      {verdict.state === 'running' && <span className="channel-spin" />}
      <span className="try-words">
        {verdict.state === 'running' && t('form.tryingOut', { model })}
        {verdict.state === 'works' &&
          t('form.tryWorks', { model, time: formatDuration(verdict.milliseconds) })}
        {verdict.state === 'fails' && t('form.tryFailed', { model, message: verdict.message })}
      </span>
      {verdict.state === 'fails' && <Copy value={verdict.message} iconOnly label={t('test.copyError')} />}
      {onClose !== undefined && (
        <IconButton label={t('form.tryClose')} onClick={onClose}>
          <IconX size={15} />
        </IconButton>
      )}
      {verdict.state !== 'running' && verdict.report !== undefined && (
        <div className="try-report">
          <FoldedSection title={t('report.title')}>
            <TestReport report={verdict.report} />
          </FoldedSection>
        </div>
      )}
    </div>
  );
};
