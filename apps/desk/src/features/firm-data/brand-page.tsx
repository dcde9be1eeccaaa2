import { useAction } from '@keyturn/browser/action/use-action.ts';
import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import { contrastOf, minContrast, nearestReadableColour } from '@keyturn/format/brand-colour';
import { useRef } from 'react';
import { errorText, fieldErrorsOf } from '../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { PageHead } from '../../ui/base/page.tsx';
import { useUndo } from '../../ui/feedback/use-undo.ts';
import { BrandPreview } from './brand-preview.tsx';
import { defaultColour, type EnteredBrand, enteredBrand, toBrandBody } from './entered-brand.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useVersioned } from './use-versioned.ts';

/** Where admins choose the colour and the logo of the clients’ dashboard. */
export default function BrandPage() {
  const settings = useVersioned('GET /staff/brand', enteredBrand);
  const offerUndo = useUndo();
  const save = async () => {
    if (!settings.current || !settings.stored) return;
    const { version, entered } = settings.current;
    const before = enteredBrand(settings.stored.value);
    const send = (from: number, value: EnteredBrand) =>
      callStaff('PUT /staff/brand', { body: { version: from, value: toBrandBody(value) } });
    const changed = await send(version, entered);
    settings.accept(changed);
    offerUndo({
      text: 'Colour and logo saved.',
      undo: async () => settings.accept(await send(changed.version, before)),
      undone: 'Colour and logo restored.',
    });
  };
  return (
    <>
      <PageHead title="Colour and logo">
        How your clients’ dashboard looks. Changes show on each page a client opens or reloads.
      </PageHead>
      <SettingsForm what="the colour and logo" settings={settings} onSave={save}>
        {() =>
          settings.current && (
            <>
              <Colour entered={settings.current.entered} onChange={settings.change} />
              <Logo entered={settings.current.entered} onChange={settings.change} />
              <BrandPreview brand={settings.current.entered} />
            </>
          )
        }
      </SettingsForm>
    </>
  );
}

interface PartProps {
  entered: EnteredBrand;
  onChange(entered: EnteredBrand): void;
}

function Colour({ entered, onChange }: PartProps) {
  const input = useRef<HTMLInputElement>(null);
  const colour = entered.colour ?? defaultColour;
  const { ratio, theme, isEnough } = contrastOf(colour);
  return (
    <fieldset className={styles.card}>
      <legend>Colour</legend>
      <div className={styles.swatch}>
        <label>
          Your colour{' '}
          <input
            ref={input}
            type="color"
            className={styles.colour}
            value={colour}
            aria-describedby="contrast"
            onChange={({ currentTarget }) => onChange({ ...entered, colour: currentTarget.value })}
          />
        </label>
        <code>{colour}</code>
        <Button
          look="plain"
          disabled={entered.colour === null}
          onClick={() => {
            onChange({ ...entered, colour: null });
            input.current?.focus();
          }}
        >
          Use Keyturn’s green
        </Button>
      </div>
      <p id="contrast" aria-live="polite">
        {isEnough
          ? `All text is readable: the lowest contrast is ${ratio.toFixed(2)} to 1, in the ${theme} theme.`
          : `Some text would be hard to read: in the ${theme} theme, the contrast is ${ratio.toFixed(2)} to 1, and it needs ${minContrast} to 1.`}
      </p>
      {!isEnough && (
        <Button
          onClick={() => {
            onChange({ ...entered, colour: nearestReadableColour(colour) });
            input.current?.focus();
          }}
        >
          Use {nearestReadableColour(colour)}, the nearest readable colour
        </Button>
      )}
    </fieldset>
  );
}

function Logo({ entered, onChange }: PartProps) {
  const { role } = useMember();
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, failure, run } = useAction();
  const problem =
    failure === null ? null : Object.values(fieldErrorsOf(failure)).join(' ') || errorText(failure);
  const upload = async (file: File) => {
    if (file.size > maxLogoBytes) throw new UserFacingError('The logo is larger than 64 KB.');
    const content = await readBase64(file);
    onChange({ ...entered, logo: await callStaff('POST /staff/logos', { body: { content } }) });
  };
  return (
    <fieldset className={styles.card}>
      <legend>Logo</legend>
      <p id="logo-hint" className={styles.note}>
        PNG or WebP, up to 64 KB and 2,000 pixels a side. It is shown up to 200 pixels wide and 40 high, in
        place of the key. In the dark theme it is on white.
      </p>
      {role === 'admin' && (
        <label>
          {entered.logo ? 'Choose another logo' : 'Choose a logo'}{' '}
          <input
            ref={input}
            type="file"
            accept="image/png,image/webp"
            aria-describedby={problem ? 'logo-hint logo-problem' : 'logo-hint'}
            aria-invalid={problem ? true : undefined}
            disabled={isBusy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void run(() => upload(file));
            }}
          />
        </label>
      )}
      {problem && (
        <p id="logo-problem" role="alert">
          {problem}
        </p>
      )}
      {entered.logo && (
        <>
          <p>
            <label>
              <input
                type="checkbox"
                checked={entered.logo_has_name}
                onChange={({ currentTarget }) =>
                  onChange({ ...entered, logo_has_name: currentTarget.checked })
                }
              />{' '}
              The logo contains our name, so don’t write the name next to it
            </label>
          </p>
          <Button
            look="plain"
            onClick={() => {
              onChange({ ...entered, logo: null, logo_has_name: false });
              input.current?.focus();
            }}
          >
            Remove the logo
          </Button>
        </>
      )}
    </fieldset>
  );
}

const maxLogoBytes = 64 * 1024;

/** Reads a file as Base64, without the start of a data URL. */
const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
