import { LaterSelectField } from '../../../kit/fields/later-select-field.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useIsAdmin } from '../../../lib/session/session.ts';
import type { ModelNote } from './use-model-notes.ts';
import type { OfferedChoices } from './use-offered.ts';

interface ModelPickerProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (model: string) => void;
  readonly offered: OfferedChoices;
  /** Price and context of each model. */
  readonly notes: ReadonlyMap<string, ModelNote>;
  /** For the head of a column, without a label. */
  readonly bare?: boolean;
}

/** Selects a model; options show price and context size. */
export const ModelPicker = ({ label, value, onChange, offered, notes, bare = false }: ModelPickerProps) => {
  const { t } = useTranslation('playground');
  const isAdmin = useIsAdmin();
  return (
    <LaterSelectField
      label={label}
      bare={bare}
      required={!bare}
      searchable
      choices={(offered.models ?? [value]).map((name) => ({
        value: name,
        label: name,
        note: notes.get(name)?.short,
      }))}
      value={value}
      onChange={onChange}
      hint={notes.get(value)?.long || undefined}
      error={offered.models?.length === 0 ? t(isAdmin ? 'panel.noModelsYet' : 'panel.noModels') : undefined}
    />
  );
};
