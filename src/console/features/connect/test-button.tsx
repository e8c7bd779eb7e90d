import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/states.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type TestCall, wordsOf } from './test-call.ts';

type Result =
  | { readonly ok: true; readonly text: string; readonly durationMs: number }
  | { readonly ok: false; readonly text: string };

/** With the id of the call, where its format has no place for it in the words. */
const failureText = (text: string, { headers }: Response): string => {
  const id = headers.get(REQUEST_ID_HEADER);
  return id === null || text.includes(id) ? text : `${text} (request id: ${id})`;
};

/** One real call with the token, from this page, as the program would make it. */
const tryOut = async ({ path, headers, body }: TestCall): Promise<Result> => {
  const startedMs = performance.now();
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'omit',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = wordsOf(await response.json());
    return response.ok
      ? { ok: true, text, durationMs: performance.now() - startedMs }
      : { ok: false, text: failureText(text || String(response.status), response) };
  } catch {
    return { ok: false, text: '' };
  }
};

/** Tells at once whether token, model and site work together. */
export const TestButton = ({ made }: { readonly made: TestCall }) => {
  const { t } = useTranslation('connect');
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    setResult(await tryOut(made));
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
      <div role="status" className="connect-result">
        {result?.ok === true && (
          <Notice tone="ok">
            {t('works', { time: formatDuration(result.durationMs), text: result.text.slice(0, 200) })}
          </Notice>
        )}
        {result?.ok === false && <Notice tone="bad">{result.text || t('unreachable')}</Notice>}
      </div>
    </div>
  );
};
