/** Version of this package, as its servers tell it. */
export const VERSION = '0.1.0';
