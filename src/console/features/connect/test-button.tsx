import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Notice } from '../../kit/states.tsx';
import { formatDuration } from '../../lib/text/format.ts';
import { asSentence } from '../../lib/server/api-error.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type TestCall, wordsOf } from './test-call.ts';

interface Result {
  /** 0 where no answer came. */
  readonly status: number;
  readonly isGood: boolean;
  readonly text: string;
  readonly durationMs: number;
  readonly requestId: string | null;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** One real call with the token, from this page, as the program would make it. */
const tryOut = async ({ path, headers, body }: TestCall, signal: AbortSignal): Promise<Result> => {
  const startedMs = performance.now();
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'omit',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    return {
      status: response.status,
      isGood: response.ok,
      text: wordsOf(parsed(await response.text())),
      durationMs: performance.now() - startedMs,
      requestId: response.headers.get(REQUEST_ID_HEADER),
    };
  } catch {
    return { status: 0, isGood: false, text: '', durationMs: 0, requestId: null };
  }
};

/** Tells at once whether token, model and site work together. */
export const TestButton = ({ made }: { readonly made: TestCall }) => {
  const { t } = useTranslation('connect');
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const running = useRef<AbortController>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => () => running.current?.abort(), []);
  // The result is at the end of the page, on most screens out of view.
  useEffect(() => {
    if (result !== undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  const run = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setResult(undefined);
    const found = await tryOut(made, controller.signal);
    if (controller.signal.aborted) return;
    setResult(found);
    setBusy(false);
  };
  return (
    <div className="connect-test">
      <Button
        variant="primary"
        icon={<IconPlugConnected size={16} />}
        busy={isBusy}
        onClick={() => void run()}
      >
        {t('test')}
      </Button>
      <span className="meta">{t('testCost')}</span>
      <code className="meta">POST {made.path}</code>
      <div role="status" className="connect-result" ref={place}>
        {result !== undefined && <ResultView result={result} />}
      </div>
    </div>
  );
};

const ANSWER_SHOWN_CHARACTERS = 200;

/** Advice for a refusal, by its status. */
const ADVICE = {
  401: 'advice.key',
  402: 'advice.quota',
  403: 'advice.quota',
  404: 'advice.model',
  429: 'advice.rate',
  503: 'advice.model',
} as const satisfies Readonly<Record<number, string>>;

const ResultView = ({ result }: { readonly result: Result }) => {
  const { t } = useTranslation('connect');
  const { isGood, status, text, durationMs, requestId } = result;
  const advice = (Object.entries(ADVICE) as [string, (typeof ADVICE)[keyof typeof ADVICE]][]).find(
    ([code]) => Number(code) === status,
  )?.[1];
  return (
    <Notice tone={isGood ? 'ok' : 'bad'}>
      <span className="connect-said">
        {isGood
          ? t('works', {
              time: formatDuration(durationMs),
              text: text.slice(0, ANSWER_SHOWN_CHARACTERS) || t('noText'),
            })
          : status === 0
            ? t('unreachable')
            : `${status} · ${asSentence(text) || t('noText')}`}
      </span>
      {!isGood && advice !== undefined && <span className="connect-said">{t(advice)}</span>}
      {requestId !== null && (
        <span className="connect-said meta">
          {t('requestId')} <Copy value={requestId} mono />{' '}
          <Link to="/log" search={{ request_id: requestId }} className="link">
            {t('openLog')}
          </Link>
        </span>
      )}
    </Notice>
  );
};
