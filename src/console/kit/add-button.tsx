import { IconPlus } from '@tabler/icons-react';
import { Button } from './button.tsx';

interface AddButtonProps {
  /** What is added, in words. */
  readonly label: string;
  /** Loads the form while the pointer is on its way. */
  readonly prepare: () => unknown;
  readonly onAdd: () => void;
}

/** The main action of a list: a new row, in a drawer that was loaded by the time of the click. */
export const AddButton = ({ label, prepare, onAdd }: AddButtonProps) => (
  <Button
    variant="primary"
    icon={<IconPlus size={16} />}
    onPointerEnter={() => void prepare()}
    onClick={onAdd}
  >
    {label}
  </Button>
);
