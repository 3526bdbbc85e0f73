/** Version of this package, as its program tells it. */
export const VERSION = '0.1.0';
