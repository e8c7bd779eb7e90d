import { lazy, Suspense, type ComponentProps } from 'react';

const Loaded = lazy(async () => ({ default: (await import('./select-field.tsx')).SelectField }));

/**
 * SelectField for pages that show one at once: its combobox is loaded after the page and takes the same place.
 */
export const LaterSelectField = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={<Waiting {...props} />}>
    <Loaded {...props} />
  </Suspense>
);

const Waiting = ({ label, value, choices, bare = false }: ComponentProps<typeof Loaded>) => (
  <div className="field" aria-hidden>
    {!bare && (
      <div className="field-label">
        <span>{label}</span>
      </div>
    )}
    <div className="input select-waiting">
      {choices.find((choice) => choice.value === value)?.label ?? value}
    </div>
  </div>
);
