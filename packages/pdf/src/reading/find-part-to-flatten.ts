import type { ShownAnnotation, ShownDocument } from './read-as-shown.ts';

/**
 * Finds parts of a PDF that some readers show and others do not.
 * @param shown from `readAsShown`
 * @returns what the PDF has, and what to do, in words for staff; null if there is none
 */
export function findHiddenPart(shown: ShownDocument): string | null {
  const part = hiddenPart(shown);
  return part && `it has ${part}: ${saveFlat}`;
}

/**
 * Finds parts of a PDF that are not on its pages themselves. A document that is signed has none, so that what is shown, read
 * aloud, printed and signed is the same.
 * @param shown from `readAsShown`
 * @returns as `findHiddenPart`
 */
export function findPartToFlatten(shown: ShownDocument): string | null {
  const part =
    hiddenPart(shown) ??
    (shown.annotations.some(
      (annotation) => annotation.subtype === 'Widget' && !isInvisibleSignature(annotation),
    )
      ? 'form fields'
      : shown.annotations.some(isAbovePage)
        ? 'comments, stamps or drawings on top of its pages'
        : shown.hasHiddenLayers
          ? 'hidden layers'
          : shown.hasScripts
            ? 'scripts, which can change what some readers show'
            : null);
  return part && `it has ${part}: ${saveFlat}`;
}

const saveFlat = 'save it as a flat PDF (for example, print it to a PDF) and use that';

function hiddenPart({ hasXfa, isPortfolio, annotations }: ShownDocument): string | null {
  if (hasXfa) return 'an XFA form, which most readers cannot show';
  if (isPortfolio) return 'other files inside it (a PDF portfolio)';
  if (annotations.some(lacksValue)) return 'form fields with values that readers do not show';
  if (annotations.some(({ subtype }) => subtype === 'Redact')) return 'redactions that are not applied';
  return annotations.some(lacksText) ? 'text boxes that readers do not show' : null;
}

/** Whether a form field has a value that its appearance does not show. */
function lacksValue(annotation: ShownAnnotation): boolean {
  const { subtype, fieldType, fieldValue, hasAppearance, textContent } = annotation;
  if (subtype !== 'Widget' || isInvisibleSignature(annotation) || isHidden(annotation)) return false;
  const value = [fieldValue ?? ''].flat().join('').trim();
  if (fieldType === 'Btn') {
    const { checkBox, radioButton, exportValue } = annotation;
    const isOn = value !== '' && value !== 'Off' && (exportValue === undefined || exportValue === value);
    return (checkBox === true || radioButton === true) && isOn && !hasAppearance;
  }
  // pdf.js reads the appearance of a text field, not of a choice.
  const isShown = fieldType === 'Tx' ? (textContent ?? []).join('').trim() !== '' : hasAppearance;
  return (fieldType === 'Tx' || fieldType === 'Ch') && value !== '' && !isShown;
}

const lacksText = (annotation: ShownAnnotation) =>
  annotation.subtype === 'FreeText' && !isHidden(annotation) && !annotation.hasAppearance;

const isAbovePage = (annotation: ShownAnnotation) =>
  annotation.subtype !== 'Widget' &&
  annotation.subtype !== 'Popup' &&
  (annotation.subtype !== 'Link' || annotation.hasAppearance);

const isHidden = ({ annotationFlags }: ShownAnnotation) => (annotationFlags & hiddenFlag) !== 0;
const hiddenFlag = 2;

/** An invisible digital signature, for example, has no size. */
const isInvisibleSignature = ({ rect: [left, bottom, right, top], fieldType }: ShownAnnotation) =>
  fieldType === 'Sig' && (left === right || bottom === top);
