import { IconEraser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Button } from '../../../kit/button.tsx';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { LaterSelectField } from '../../../kit/fields/later-select-field.tsx';
import { SliderField } from '../../../kit/fields/slider-field.tsx';
import { SwitchField } from '../../../kit/fields/switch-field.tsx';
import { TextAreaField } from '../../../kit/fields/text-area-field.tsx';
import { useIsAdmin } from '../../../lib/session/session.ts';
import { useSignal } from '../../../lib/browser/signal.ts';
import { callerFormats } from '../../../lib/text/wire-formats.ts';
import type { ChatFormat } from '../wire/chat-format.ts';
import { type ChatSettings, extraOf } from '../wire/chat-request.ts';
import { ModelPicker } from './model-picker.tsx';
import type { Chat } from '../talk/start-chat.ts';
import type { Talk } from '../talk/start-talk.ts';
import type { ModelNote } from './use-model-notes.ts';
import type { OfferedChoices } from './use-offered.ts';

interface SettingsPanelProps {
  readonly talk: Talk;
  readonly settings: ChatSettings;
  readonly onChange: (patch: Partial<ChatSettings>) => void;
  readonly offered: OfferedChoices;
  /** Price and context of each model. */
  readonly notes: ReadonlyMap<string, ModelNote>;
}

const formats = (Object.keys(callerFormats) as ChatFormat[]).map((value) => ({
  value,
  label: callerFormats[value],
}));

/** Common extra fields for each format. */
const EXTRAS: Readonly<Record<ChatFormat, string>> = {
  'openai-chat': '{"reasoning_effort": "high"}',
  'openai-responses': '{"reasoning": {"effort": "high", "summary": "auto"}}',
  'anthropic-messages': '{"thinking": {"type": "enabled", "budget_tokens": 2048}}',
  gemini: '{"generationConfig": {"thinkingConfig": {"includeThoughts": true}}}',
};

/** The slider's minimum. Source: specification, playground. */
const TEMPERATURE_MIN = 0.1;
/** Switched off, it is 0 as on a first visit; switched on again, the slider starts at its minimum. */
const NO_TEMPERATURE = { sendsTemperature: false, temperature: 0 } as const;

/** The settings sent with each message. Disabled ones and empty numbers are not sent. */
export const SettingsPanel = ({ talk, settings, onChange, offered, notes }: SettingsPanelProps) => {
  const { t } = useTranslation('playground');
  const isAdmin = useIsAdmin();
  return (
    <aside className="pg-panel" aria-label={t('panel.label')}>
      <LaterSelectField
        label={t('panel.group')}
        required
        choices={offered.groups ?? [{ value: settings.group, label: settings.group || t('panel.userGroup') }]}
        value={settings.group}
        onChange={(group) => onChange({ group })}
      />
      <ModelPicker
        label={t('panel.model')}
        value={settings.model}
        onChange={(model) => onChange({ model })}
        offered={offered}
        notes={notes}
      />
      {isAdmin && offered.models?.length === 0 && (
        <Link to="/channel" search={{ edit: 'new' }} className="button button-wide">
          <span>{t('panel.addChannel')}</span>
        </Link>
      )}
      <LaterSelectField
        label={t('panel.format')}
        choices={formats}
        value={settings.format}
        onChange={(format) => onChange({ format: format as ChatFormat })}
      />
      <SliderField
        label={t('panel.temperature')}
        min={TEMPERATURE_MIN}
        max={1}
        step={0.1}
        value={settings.temperature}
        shown={settings.sendsTemperature ? settings.temperature.toFixed(1) : t('panel.modelDefault')}
        onChange={(temperature) => onChange({ temperature, sendsTemperature: true })}
      />
      <SwitchField
        label={t('panel.sendTemperature')}
        checked={settings.sendsTemperature}
        onChange={(isSent) => onChange(isSent ? { sendsTemperature: true } : NO_TEMPERATURE)}
      />
      <NumberField
        label={t('panel.maxTokens')}
        min={0}
        value={settings.maxTokens === 0 ? undefined : settings.maxTokens}
        placeholder={t('panel.modelDefault')}
        onChange={(maxTokens) => onChange({ maxTokens: Math.max(0, Math.trunc(maxTokens ?? 0)) })}
      />
      <TextAreaField
        label={t('panel.systemPrompt')}
        rows={4}
        value={settings.systemPrompt}
        onChange={(systemPrompt) => onChange({ systemPrompt })}
      />
      <TextAreaField
        label={t('panel.extra')}
        hint={t('panel.extraHint')}
        mono
        rows={3}
        placeholder={EXTRAS[settings.format]}
        value={settings.extra}
        error={extraOf(settings.extra) === undefined ? t('panel.extraWrong') : undefined}
        onChange={(extra) => onChange({ extra })}
      />
      {useSignal(talk.lanes)
        .slice(0, 1)
        .map(({ id, chat }) => (
          <ClearButton key={id} chat={chat} onClear={talk.clearContext} />
        ))}
    </aside>
  );
};

/** Earlier messages are no longer sent to any of the models. */
const ClearButton = ({ chat, onClear }: { readonly chat: Chat; readonly onClear: () => void }) => {
  const { t } = useTranslation('playground');
  const items = useSignal(chat.items);
  const hasContext = items.length > 0 && items.at(-1)?.kind !== 'divider';
  return (
    <Button wide icon={<IconEraser size={16} />} disabled={!hasContext} onClick={onClear}>
      {t('clearContext')}
    </Button>
  );
};
