import { parsedObject } from '#contract/json-text.ts';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { explainCall } from '#contract/api/channels/channel-routing.ts';
import { EXPLAINED_TOKENS, sampleDialects } from '#contract/sample-calls.ts';
import type { Data, Sent } from '#contract/endpoint.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { SelectField } from '../../../kit/fields/select-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { call } from '../../../lib/server/api.ts';
import { messageOf } from '../../../lib/server/api-error.ts';
import { formatExact } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { formatName } from '../../../lib/text/wire-formats.ts';
import type { UrlState } from '../../../lib/browser/url-state.ts';
import { NameField } from '../../../shared/price-form/name-field.tsx';
import { useEnabledModels, useGroupNames } from '../use-channel-filters.ts';
import { Explained } from './explained-call.tsx';

type Asked = NonNullable<Sent<typeof explainCall>['body']>;

/** The question, as typed. */
interface Question {
  readonly user: number | undefined;
  readonly token: number | undefined;
  readonly model: string;
  readonly group: string;
  readonly dialect: (typeof sampleDialects)[number];
  readonly prompt: number | undefined;
  readonly output: number | undefined;
  readonly headers: string;
  /** The client's name of the session. */
  readonly cacheKey: string;
  /** The session of the log row that the dialog was opened from. */
  readonly session: string | undefined;
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) && text !== '0' ? Number(text) : undefined;

/** Opened from a log row, the form is filled in with that call. */
const questionIn = (state: UrlState): Question => ({
  user: numberIn(state['user']),
  token: numberIn(state['token']),
  model: state['of'] ?? '',
  group: state['in'] ?? '',
  dialect: sampleDialects.find((one) => one === state['format']) ?? 'openai-chat',
  prompt: numberIn(state['prompt']),
  output: numberIn(state['answer']),
  headers: '',
  cacheKey: '',
  session: /^[\w-]{22}$/.test(state['session'] ?? '') ? state['session'] : undefined,
});

const askedOf = (question: Question): Asked => ({
  ...(question.user !== undefined && { user_id: question.user }),
  ...(question.token !== undefined && { token_id: question.token }),
  model: question.model.trim(),
  group: question.group.trim(),
  dialect: question.dialect,
  ...(question.prompt !== undefined && { prompt_tokens: question.prompt }),
  ...(question.output !== undefined && { output_tokens: question.output }),
  ...(question.cacheKey.trim() === '' && question.session !== undefined && { session: question.session }),
  prompt_cache_key: question.cacheKey.trim(),
  headers: (parsedObject(question.headers) ?? {}) as Record<string, string>,
});

const FORM = 'explain-call';

interface ExplainDialogProps {
  readonly from: UrlState;
  readonly onClose: () => void;
}

/** Explains which channels a hypothetical call might get, and why. */
const ExplainDialog = ({ from, onClose }: ExplainDialogProps) => {
  const { t } = useTranslation('channel-routing');
  const [question, setQuestion] = useState(() => questionIn(from));
  const explain = useAction({
    run: (asked: Asked): Promise<Data<typeof explainCall>> => call(explainCall, { body: asked }),
    quiet: true,
  });
  const isReady = question.model.trim() !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) explain.mutate(askedOf(question));
  };
  // Opened from a log row, the dialog asks at once.
  const begin = useEffectEvent(() => {
    if (isReady) explain.mutate(askedOf(question));
  });
  useEffect(() => begin(), []);
  const foot = (
    <Button variant="primary" type="submit" form={FORM} busy={explain.isPending} disabled={!isReady}>
      {t('explain.run')}
    </Button>
  );
  return (
    <Dialog title={t('explain.title')} width={920} onClose={onClose} foot={foot} isInAddress losesNothing>
      <p className="meta">{t('explain.about')}</p>
      <form id={FORM} onSubmit={submit}>
        <QuestionFields question={question} onChange={setQuestion} />
      </form>
      <div role="status">
        {explain.isError && <p className="tone-bad">{messageOf(explain.error)}</p>}
        {explain.data !== undefined && !explain.isError && <Explained explained={explain.data} />}
      </div>
    </Dialog>
  );
};

interface QuestionFieldsProps {
  readonly question: Question;
  readonly onChange: (question: Question) => void;
}

const QuestionFields = ({ question, onChange }: QuestionFieldsProps) => {
  const { t } = useTranslation('channel-routing');
  const set =
    <Name extends keyof Question>(name: Name) =>
    (value: Question[Name]): void =>
      onChange({ ...question, [name]: value });
  const models = useEnabledModels();
  const groups = useGroupNames();
  return (
    <div className="override-rule">
      <NameField
        label={t('explain.model')}
        required
        autoFocus
        known={models}
        value={question.model}
        onChange={set('model')}
      />
      <NameField
        label={t('explain.group')}
        hint={t('explain.groupHint')}
        known={groups}
        value={question.group}
        onChange={set('group')}
      />
      <NumberField
        label={t('explain.user')}
        hint={t('explain.userHint')}
        min={1}
        value={question.user}
        onChange={set('user')}
      />
      <NumberField label={t('explain.token')} min={1} value={question.token} onChange={set('token')} />
      <NumberField
        label={t('explain.prompt')}
        hint={t('explain.promptHint', { tokens: formatExact(EXPLAINED_TOKENS) })}
        min={0}
        value={question.prompt}
        onChange={set('prompt')}
      />
      <NumberField
        label={t('explain.output')}
        hint={t('explain.outputHint', { tokens: formatExact(EXPLAINED_TOKENS) })}
        min={0}
        value={question.output}
        onChange={set('output')}
      />
      <div className="override-double">
        <SelectField
          label={t('explain.dialect')}
          value={question.dialect}
          onChange={(next) => set('dialect')(sampleDialects.find((one) => one === next) ?? 'openai-chat')}
          choices={sampleDialects.map((one) => ({ value: one, label: formatName(one) }))}
        />
      </div>
      <div className="override-double">
        <TextField
          label={t('explain.session')}
          hint={t(question.session === undefined ? 'explain.sessionHint' : 'explain.sessionOfRow')}
          mono
          value={question.cacheKey}
          onChange={set('cacheKey')}
        />
      </div>
      <div className="override-wide">
        <TextField
          label={t('explain.headers')}
          placeholder='{ "user-agent": "codex_cli/1" }'
          mono
          value={question.headers}
          onChange={set('headers')}
          error={
            question.headers.trim() !== '' && parsedObject(question.headers) === undefined
              ? t('preview.badJson')
              : undefined
          }
        />
      </div>
    </div>
  );
};

export default ExplainDialog;
