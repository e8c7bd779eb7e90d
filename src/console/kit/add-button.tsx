import { IconPlus } from '@tabler/icons-react';
import { Button } from './button.tsx';

interface AddButtonProps {
  /** The button's text. */
  readonly label: string;
  /** Loads the form's code when the pointer comes near. */
  readonly prepare: () => unknown;
  readonly onAdd: () => void;
}

/** The main action of a list: creates a row. The drawer is loaded before the click. */
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
