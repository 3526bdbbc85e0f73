import { enableCompileCache } from 'tincan-wire/compile-cache';

enableCompileCache();
await import('./tincan.mjs');
