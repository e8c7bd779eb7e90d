import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { addRow, type Problem, type RatioRow } from './ratio-rows.ts';

interface AddDialogProps {
  readonly rows: readonly RatioRow[];
  readonly onAdd: (rows: readonly RatioRow[]) => void;
  readonly onClose: () => void;
}

const empty: RatioRow = { name: '', price: '', ratio: '', completionRatio: '' };

/** A model that is not in the table yet: priced by the call or by tokens. */
const AddDialog = ({ rows, onAdd, onClose }: AddDialogProps) => {
  const { t } = useTranslation('settings');
  const [row, setRow] = useState(empty);
  const [mode, setMode] = useState<'ratio' | 'price'>('ratio');
  const [problem, setProblem] = useState<Problem>();
  const add = (): void => {
    const wanted = mode === 'price' ? { ...row, ratio: '', completionRatio: '' } : { ...row, price: '' };
    const result = addRow(rows, wanted);
    if (typeof result === 'string') return setProblem(result);
    onAdd(result);
    onClose();
  };
  const field = (column: keyof RatioRow, label: string, error?: string) => (
    <TextField
      label={label}
      value={row[column]}
      error={error}
      onChange={(text) => {
        setRow({ ...row, [column]: text });
        setProblem(undefined);
      }}
    />
  );
  const isAboutName = problem === 'visual.nameNeeded' || problem === 'visual.nameExists';
  return (
    <Dialog
      title={t('visual.add')}
      width={460}
      onClose={onClose}
      foot={
        <Button variant="primary" onClick={add}>
          {t('visual.addOne')}
        </Button>
      }
    >
      <form
        className="setting-wide"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        {field('name', t('visual.name'), isAboutName ? t(problem) : undefined)}
        <Segmented
          label={t('visual.mode')}
          value={mode}
          options={[
            { value: 'ratio', label: t('visual.byTokens') },
            { value: 'price', label: t('visual.byCalls') },
          ]}
          onChange={setMode}
        />
        {mode === 'price' ? (
          field('price', t('visual.price'), problem === 'wrong.number' ? t(problem) : undefined)
        ) : (
          <>
            {field('ratio', t('visual.ratio'), problem === 'wrong.number' ? t(problem) : undefined)}
            {field('completionRatio', t('visual.completionRatio'))}
          </>
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
};

export default AddDialog;
