import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { Notice } from '../../../kit/states.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { type BatchMode, batchProblem, type BatchValues, type Problem } from './ratio-rows.ts';

interface BatchDialogProps {
  readonly count: number;
  readonly onFill: (mode: BatchMode, values: BatchValues) => void;
  readonly onClose: () => void;
}

const modes: readonly BatchMode[] = ['price', 'ratio', 'completionRatio', 'both'];

/** The same price or ratios for all chosen models. */
const BatchDialog = ({ count, onFill, onClose }: BatchDialogProps) => {
  const { t } = useTranslation('settings');
  const [mode, setMode] = useState<BatchMode>('ratio');
  const [values, setValues] = useState<BatchValues>({ fill: '', ratio: '', completionRatio: '' });
  const [problem, setProblem] = useState<Problem>();
  const fill = (): void => {
    const wrong = batchProblem(mode, values, count);
    if (wrong !== undefined) return setProblem(wrong);
    onFill(mode, values);
    onClose();
  };
  const field = (name: keyof BatchValues, label: string) => (
    <TextField
      label={label}
      value={values[name]}
      onChange={(text) => {
        setValues({ ...values, [name]: text });
        setProblem(undefined);
      }}
    />
  );
  return (
    <Dialog
      title={t('visual.batch')}
      width={520}
      onClose={onClose}
      foot={
        <Button variant="primary" onClick={fill}>
          {t('visual.fill')}
        </Button>
      }
    >
      <form
        className="setting-wide"
        onSubmit={(event) => {
          event.preventDefault();
          fill();
        }}
      >
        <Notice tone="info">{t('visual.batchAbout', { count })}</Notice>
        <Segmented
          label={t('visual.mode')}
          value={mode}
          options={modes.map((value) => ({ value, label: t(`visual.batchMode.${value}`) }))}
          onChange={(next) => {
            setMode(next);
            setProblem(undefined);
          }}
        />
        {mode === 'both' ? (
          <div className="field-pair">
            {field('ratio', t('visual.ratio'))}
            {field('completionRatio', t('visual.completionRatio'))}
          </div>
        ) : (
          field('fill', t(`visual.${mode}`))
        )}
        {problem !== undefined && (
          <p className="field-error" role="alert">
            {t(problem)}
          </p>
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
};

export default BatchDialog;
