/*
 * Whether a firm's colour can be read in the dashboard. The dashboard derives its colours from `--brand` in
 * packages/ui/src/base/tokens.css; the constants here are those of that file.
 */

/** Contrast of text that WCAG 2.2 requires at level AA. */
export const minContrast = 4.5;

/** The lowest contrast of all texts in the firm's colour, or on it. */
export interface BrandContrast {
  /** The contrast ratio, rounded down to two decimal places. */
  ratio: number;
  theme: 'light' | 'dark';
  isEnough: boolean;
}

/** Computes the contrast of a firm's colour, `#rrggbb`, in the light and the dark theme. */
export function contrastOf(colour: string): BrandContrast {
  const [lowest = { ratio: 0, theme: 'light' as const }] = [
    ...lightPairs(colour).map(([text, ground]) => ({
      theme: 'light' as const,
      ratio: contrastRatio(text, ground),
    })),
    ...darkPairs(colour).map(([text, ground]) => ({
      theme: 'dark' as const,
      ratio: contrastRatio(text, ground),
    })),
  ].sort((left, right) => left.ratio - right.ratio);
  return { ...lowest, ratio: Math.floor(lowest.ratio * 100) / 100, isEnough: lowest.ratio >= minContrast };
}

/** Finds the readable colour of the same hue with the closest lightness. */
export function nearestReadableColour(colour: string): string {
  if (contrastOf(colour).isEnough) return colour;
  const lab = oklabOf(parse(colour));
  for (let step = 1; step <= 250; step += 1) {
    for (const lightness of [lab[0] - step / 250, lab[0] + step / 250]) {
      if (lightness < 0 || lightness > 1) continue;
      const candidate = atLightness(lab, lightness);
      if (contrastOf(candidate).isEnough) return candidate;
    }
  }
  throw new Error(`no readable colour is like ${colour}`);
}

type Triple = readonly [number, number, number];

const [paper, raised, sunken] = ['#f7f4ed', '#fffdf8', '#efeae0'];
const [darkPaper, darkRaised, darkSunken] = ['#12161a', '#1a2026', '#0d1114'];

/** Each text colour with its background. */
function lightPairs(brand: string): [text: string, ground: string][] {
  const grounds = [paper, raised, sunken, mix(brand, 0.07, raised)];
  return [
    ...grounds.flatMap((ground): [string, string][] => [
      [brand, ground],
      // The background on hover.
      [brand, cover(brand, 0.1, ground)],
    ]),
    ['#ffffff', brand],
    ['#ffffff', mix(brand, 0.84, '#000000')],
  ];
}

function darkPairs(brand: string): [text: string, ground: string][] {
  const ink = mix(brand, 0.3, '#d7efe4');
  const grounds = [darkPaper, darkRaised, darkSunken, mix(brand, 0.24, '#14191d')];
  return [
    ...grounds.flatMap((ground): [string, string][] => [
      [ink, ground],
      [ink, cover(ink, 0.1, ground)],
    ]),
    ['#0d1a16', ink],
    ['#0d1a16', mix(brand, 0.16, '#e6f5ee')],
  ];
}

/** The ratio of WCAG, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = parse(colour).map(toLinear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes as `color-mix(in oklab, …)` does. @param share of the first colour, from 0 to 1 */
function mix(colour: string, share: number, other: string): string {
  const [first, second] = [oklabOf(parse(colour)), oklabOf(parse(other))];
  return hexOf(first.map((value, index) => value * share + (second[index] ?? 0) * (1 - share)) as never);
}

/** Blends a translucent colour over a background. */
function cover(colour: string, opacity: number, ground: string): string {
  const below = parse(ground);
  return toHex(
    parse(colour).map((value, index) => value * opacity + (below[index] ?? 0) * (1 - opacity)) as never,
  );
}

/** Changes the lightness, and lowers the chroma as far as screens need it. */
function atLightness([, a, b]: Triple, lightness: number): string {
  let [low, high] = [0, 1];
  if (isInGamut([lightness, a, b])) return hexOf([lightness, a, b]);
  for (let step = 0; step < 16; step += 1) {
    const middle = (low + high) / 2;
    if (isInGamut([lightness, a * middle, b * middle])) low = middle;
    else high = middle;
  }
  return hexOf([lightness, a * low, b * low]);
}

const isInGamut = (lab: Triple) => linearOf(lab).every((value) => value >= -1e-6 && value <= 1 + 1e-6);

/** Channels from 0 to 1. */
const parse = (colour: string): Triple =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255) as never;

const toHex = (channels: Triple): string =>
  `#${channels
    .map((value) =>
      Math.round(Math.min(1, Math.max(0, value)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

const hexOf = (lab: Triple): string =>
  toHex(linearOf(lab).map((value) => fromLinear(Math.max(0, value))) as never);

/* The matrices of Oklab: https://bottosson.github.io/posts/oklab. */

function oklabOf(channels: Triple): Triple {
  const [red, green, blue] = channels.map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function linearOf([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
