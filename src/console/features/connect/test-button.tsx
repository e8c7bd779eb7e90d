import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/states.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';

type Result =
  | { readonly ok: true; readonly text: string; readonly durationMs: number }
  | { readonly ok: false; readonly text: string };

/** What the answer of a chat call says: its words, or what was wrong. */
const wordsOf = (answer: unknown): string => {
  const { choices, error } = answer as {
    choices?: readonly { message?: { content?: string | null } }[];
    error?: { message?: string };
  };
  return error?.message ?? choices?.[0]?.message?.content ?? '';
};

/** One real call with the token, from this page, as the program would make it. */
const tryOut = async (tokenKey: string, model: string): Promise<Result> => {
  const startedMs = performance.now();
  try {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      credentials: 'omit',
      headers: { Authorization: `Bearer ${tokenKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'Say hello.' }] }),
    });
    const text = wordsOf(await response.json());
    return response.ok
      ? { ok: true, text, durationMs: performance.now() - startedMs }
      : { ok: false, text: text || String(response.status) };
  } catch {
    return { ok: false, text: '' };
  }
};

/** Tells at once whether token, model and site work together. */
export const TestButton = ({ tokenKey, model }: { readonly tokenKey: string; readonly model: string }) => {
  const { t } = useTranslation('connect');
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    setResult(await tryOut(tokenKey, model));
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
      <div role="status" className="connect-result">
        {result?.ok === true && (
          <Notice tone="info">
            {t('works', { time: formatDuration(result.durationMs), text: result.text.slice(0, 200) })}
          </Notice>
        )}
        {result?.ok === false && <Notice tone="bad">{result.text || t('unreachable')}</Notice>}
      </div>
    </div>
  );
};
