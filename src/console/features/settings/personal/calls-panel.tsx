import { updateSetting } from '#contract/api/people/personal.ts';
import { SwitchField } from '../../../kit/fields/switch-field.tsx';
import { call } from '../../../lib/server/api.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { Panel } from './panel.tsx';
import { type SavedSetting, savedSetting } from './saved-setting.ts';
import { SELF, type Self } from './use-self.ts';

const switches = [
  ['record_ip_log', 'recordIp'],
  ['accept_unset_model_ratio_model', 'acceptUnpriced'],
] as const satisfies readonly (readonly [keyof SavedSetting, string])[];

/** Settings for calls of all the user's tokens. Each switch is saved at once. */
export const CallsPanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const saved = savedSetting(self.setting);
  const save = useAction({
    run: (body: Partial<Pick<SavedSetting, (typeof switches)[number][0]>>) => call(updateSetting, { body }),
    done: t('notify.done'),
    refresh: [SELF],
  });
  return (
    <Panel title={t('calls.title')} about={t('calls.about')}>
      {switches.map(([name, text]) => (
        <SwitchField
          key={name}
          label={t(`calls.${text}`)}
          hint={t(`calls.${text}Hint`)}
          checked={saved[name]}
          onChange={(isOn) => save.mutate({ [name]: isOn })}
        />
      ))}
    </Panel>
  );
};
