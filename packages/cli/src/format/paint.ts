const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 };

/** Puts text into a colour, or leaves it alone where colours are off. */
export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** Colours for one stream. */
export function createPaint(isOn: boolean): Paint {
  return Object.fromEntries(
    Object.entries(CODES).map(([name, code]) => [
      name,
      (text: string) => (isOn ? `\u001B[${code}m${text}\u001B[0m` : text),
    ]),
  ) as Paint;
}
