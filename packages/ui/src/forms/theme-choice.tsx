import { classNames } from '../base/class-names.ts';
import { type Theme, themes } from '../base/theme.ts';
import tick from './tick.module.css';

interface ThemeChoiceProps {
  theme: Theme;
  onChoose(theme: Theme): void;
  className?: string | undefined;
}

/** The themes to choose from. */
export function ThemeChoice({ theme, onChoose, className }: ThemeChoiceProps) {
  return (
    <fieldset className={className}>
      <legend>Appearance</legend>
      {themes.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            className={classNames(tick.tick, tick.radio)}
            name="theme"
            value={choice}
            checked={theme === choice}
            onChange={() => onChoose(choice)}
          />
          <span>{themeNames[choice]}</span>
        </label>
      ))}
    </fieldset>
  );
}

const themeNames: Record<Theme, string> = { system: 'Same as device', light: 'Light', dark: 'Dark' };
