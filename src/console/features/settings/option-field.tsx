import { useState } from 'react';
import { type OptionKey, optionRow } from '#contract/options.ts';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { FieldFrame, type FieldProps } from '../../kit/fields/field.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { TextAreaField } from '../../kit/fields/text-area-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import type { TextKey } from '../../lib/text/areas.ts';
import { type Translate, useTranslation } from '../../lib/text/i18n.ts';
import { JsonOption } from './json-option.tsx';
import { problemOf } from './option-drafts.ts';
import type { Settings } from './use-settings.ts';

const textAt = (t: Translate<'settings'>, path: string): string | undefined => {
  const text = t(path as TextKey<'settings'>);
  return text === path ? undefined : text;
};

/** An option's label; its key if it has none. */
export const optionLabel = (t: Translate<'settings'>, key: OptionKey): string =>
  textAt(t, `label.${key}`) ?? key;

interface OptionFieldProps {
  readonly optionKey: OptionKey;
  readonly settings: Settings;
}

/** The field of one option, by its kind: a switch, a number, a text, JSON. */
export const OptionField = ({ optionKey: key, settings }: OptionFieldProps) => {
  const { t } = useTranslation('settings');
  const [isTouched, setTouched] = useState(false);
  // Apart from the settings, which are others with every letter: only the field with the letter is drawn again.
  const { change } = settings;
  const text = settings.text(key);
  const { bounds } = optionRow(key);
  const isChanged = settings.changed([key]).length > 0;
  const issue = isChanged && isTouched ? problemOf(key, text) : undefined;
  const isLocked = settings.isLocked(key);
  const wrong = settings.toRepeat.has(key)
    ? t('secretAgain')
    : (settings.problems[key] ?? (issue && t(issue, { min: bounds?.min ?? '', max: bounds?.max ?? '' })));
  return (
    <div
      className="setting-field"
      id={`option-${key}`}
      data-changed={isChanged || undefined}
      onBlur={() => setTouched(true)}
    >
      <Control
        optionKey={key}
        text={text}
        label={optionLabel(t, key)}
        hint={isLocked ? t('lock.field') : textAt(t, `hint.${key}`)}
        error={wrong}
        isLocked={isLocked}
        isSecretSet={settings.secretsSet.has(key)}
        onChange={(value) => change(key, value)}
      />
    </div>
  );
};

interface ControlProps {
  readonly optionKey: OptionKey;
  readonly text: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly isLocked: boolean;
  readonly isSecretSet: boolean;
  readonly onChange: (text: string) => void;
}

const Control = (props: ControlProps) => {
  const { optionKey, text, label, hint, error, isLocked, isSecretSet, onChange } = props;
  const { t } = useTranslation('settings');
  const { kind, bounds, choices = [], secret } = optionRow(optionKey);
  const field = { label, ...(hint === undefined ? {} : { hint }), error, disabled: isLocked };
  switch (kind) {
    case 'flag':
      return <FlagControl optionKey={optionKey} text={text} field={field} onChange={onChange} />;
    case 'number':
      return (
        <NumberField
          {...field}
          step={Number.isInteger(bounds?.min ?? 0) && Number.isInteger(Number(text)) ? 1 : 'any'}
          {...(bounds === undefined ? {} : bounds)}
          value={text === '' ? undefined : Number(text)}
          onChange={(value) => onChange(value === undefined ? '' : String(value))}
        />
      );
    case 'json':
      return <JsonOption optionKey={optionKey} text={text} field={field} onChange={onChange} />;
    case 'lines':
    case 'long-text':
      return <TextAreaField {...field} value={text} rows={6} mono={kind === 'lines'} onChange={onChange} />;
    case 'choice':
      return (
        <FieldFrame id={`choice-${optionKey}`} field={field}>
          <Segmented
            label={label}
            value={text}
            options={choices.map((value) => ({ value, label: textAt(t, `choice.${value}`) ?? value }))}
            onChange={onChange}
          />
        </FieldFrame>
      );
    case 'text':
    case 'address':
      return (
        <TextField
          {...field}
          value={text}
          type={secret === true ? 'password' : 'text'}
          autoComplete={secret === true ? 'new-password' : 'off'}
          placeholder={secret === true ? t(isSecretSet ? 'secretSet' : 'secretUnset') : ''}
          onChange={onChange}
        />
      );
  }
};

const FlagControl = ({
  optionKey,
  text,
  field,
  onChange,
}: Pick<ControlProps, 'optionKey' | 'text' | 'onChange'> & {
  readonly field: FieldProps;
}) => {
  const { t } = useTranslation('settings');
  const turn = async (isOn: boolean): Promise<void> => {
    // Users without another way to sign in would be locked out.
    if (optionKey === 'PasswordLoginEnabled' && !isOn) {
      const isSure = await confirm({
        title: t('passwordOff.title'),
        text: t('passwordOff.text'),
        action: t('passwordOff.action'),
        danger: true,
      });
      if (!isSure) return;
    }
    onChange(String(isOn));
  };
  return <SwitchField {...field} checked={text === 'true'} onChange={(isOn) => void turn(isOn)} />;
};
